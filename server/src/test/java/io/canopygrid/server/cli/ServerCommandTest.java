package io.canopygrid.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests which command lines are refused before a node starts; {@link ServerProcessIT} starts nodes.
 */
final class ServerCommandTest {
  @TempDir Path directory = Path.of("");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--port | 99999 | option --port: 'cluster.port' must be from 0 to 65535, not 99999",
        "--port | x | must be a whole number from 0 to 65535",
        "--name | two words | must be 1 to 64 letters",
        "--join | vm1:x | ports from 1 to 65535",
        "--bind | a b | must be a host name or an IP address",
        "--lock-timeout | 50 | without a unit",
        "--admin-password-file | none | names a file that does not exist",
        "--log-format | jsn | did you mean"
      })
  void aBadOptionIsTold(String option, String value, String message) {
    CommandRun run = CommandRun.of("server", option, value);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("CNPY-5001", message);
  }

  @Test
  void aBadFileIsToldWithItsPlaceAndTheNearestName() throws IOException {
    Path file = directory.resolve("canopy.json");
    Files.writeString(
        file, "{\"cluster\": {\n  \"name\": \"shop\",\n  \"port\": 1,\n  \"prot\": 7800\n}}\n");

    CommandRun run = CommandRun.of("server", "--config", file.toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("CNPY-5001", "canopy.json:4:", "'prot'", "'port'");
  }

  @Test
  void aMissingFileIsNamed() {
    CommandRun run = CommandRun.of("server", "--config", directory.resolve("none").toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("CNPY-5001", "none", "cannot be read");
  }
}
