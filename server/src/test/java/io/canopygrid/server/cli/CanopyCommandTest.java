package io.canopygrid.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CanopyCommandTest {
  @ParameterizedTest
  @ValueSource(strings = {"--help", "help"})
  void helpNamesTheCommandsOfThisAndOtherModules(String argument) {
    CommandRun run = CommandRun.of(argument);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("server", "help", "greet").contains("Say hello.");
  }

  @Test
  void everyCommandHasHelp() {
    CommandRun run = CommandRun.of("server", "--help");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("--port", "--join", "--config", "READY");
    assertThat(CommandRun.of("help", "server").out()).isEqualTo(run.out());
  }

  @Test
  void versionIsThatOfTheBuild() {
    CommandRun run = CommandRun.of("--version");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).matches("canopy \\d+\\.\\d+\\.\\d+(-SNAPSHOT)? on Java [\\S\\s]+");
  }

  @Test
  void withoutACommandItAsksForOne() {
    CommandRun run = CommandRun.of();

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("which command?").contains("Try 'canopy --help'");
  }

  @Test
  void aCommandThatDoesNotExistIsNamedWithItsNeighbour() {
    CommandRun run = CommandRun.of("sever");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("there is no command 'sever'").contains("canopy server");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void anOptionThatDoesNotExistIsNamed() {
    CommandRun run = CommandRun.of("server", "--prot", "7800");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("canopy server: Unknown option").contains("--prot");
  }

  @Test
  void aCodedErrorIsToldWithoutATrace() {
    CommandRun run = CommandRun.of("greet", "--fail", "coded");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .startsWith("canopy greet: CNPY-4005 PORT_IN_USE: port 7800 is taken.")
        .doesNotContain("\tat ");
  }

  @Test
  void aBugIsToldWithItsTrace() {
    CommandRun run = CommandRun.of("greet", "--fail", "bug");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("IllegalStateException: a bug").contains("\tat ");
  }

  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  void helpExplainsEveryErrorCode(ErrorCode code) {
    CommandRun run = CommandRun.of("help", code.id());

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).startsWith(code.toString()).contains(code.advice());
    assertThat(CommandRun.of("help", code.name()).out()).isEqualTo(run.out());
  }

  @Test
  void helpRefusesWhatIsNeitherCodeNorCommand() {
    CommandRun run = CommandRun.of("help", "CNPY-9999");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("there is no error code or command 'CNPY-9999'");
  }
}
