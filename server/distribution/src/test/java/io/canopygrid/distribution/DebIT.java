package io.canopygrid.distribution;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Installs Debian's package in a copy of this machine, where it is a Debian and root may make one.
 */
@Tag("containers")
@Timeout(200)
final class DebIT {
  private static final int NO_COPY = 77;

  @Test
  void thePackageIsInstalledRunRemovedAndPurgedWithoutATrace() throws Exception {
    Path scripts = Path.of(System.getProperty("canopy.deb.scripts"));
    Process process =
        new ProcessBuilder(
                scripts.resolve("in-copy.sh").toString(),
                scripts.resolve("life.sh").toString(),
                deb().toString())
            .redirectErrorStream(true)
            .start();
    CompletableFuture.delayedExecutor(180, TimeUnit.SECONDS).execute(process::destroyForcibly);
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    int exitCode = process.waitFor();

    assumeTrue(exitCode != NO_COPY, output);
    assertThat(exitCode).as(output).isZero();
    assertThat(output)
        .contains("1 of 1 nodes", "data: on disk, async, on all nodes")
        .endsWith("--- left behind:\n");
  }

  private static Path deb() throws IOException {
    try (Stream<Path> built = Files.list(Path.of(System.getProperty("canopy.packages")))) {
      return built.filter(file -> file.toString().endsWith("_all.deb")).findFirst().orElseThrow();
    }
  }
}
