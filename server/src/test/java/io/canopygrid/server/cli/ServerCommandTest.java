package io.canopygrid.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused before a node starts; nodes that do are in {@link ServerProcessIT}. */
final class ServerCommandTest {
  @TempDir Path directory = Path.of("");

  @ParameterizedTest
  @CsvSource({
    "--port, 99999, port must be from 0 to 65535",
    "--port, x, Invalid value for option '--port'",
    "--name, two words, name must have 1 to 64 letters",
    "--join, vm1:x, a port from 1 to 65535",
    "--bind, a b, not an address"
  })
  void aBadOptionIsAUsageError(String option, String value, String message) {
    CommandRun run = CommandRun.of("server", option, value);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }

  @Test
  void aBadFileIsToldWithItsPlaceAndTheNearestName() throws IOException {
    Path file = directory.resolve("canopy.json");
    Files.writeString(file, "{\n  \"name\": \"shop\",\n  \"prot\": 7800\n}\n");

    CommandRun run = CommandRun.of("server", "--config", file.toString());

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("CNPY-5001", "canopy.json:3:", "'prot'", "'port'");
  }

  @Test
  void aMissingFileIsNamed() {
    CommandRun run = CommandRun.of("server", "--config", directory.resolve("none").toString());

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("CNPY-5001", "none", "cannot be read");
  }
}
