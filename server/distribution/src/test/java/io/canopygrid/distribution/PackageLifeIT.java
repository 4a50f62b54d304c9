package io.canopygrid.distribution;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Installs the packages in copies of this machine, where root may make one and the tool of the
 * package, dpkg or rpm, is here; and runs containers of the image, where Docker's engine is.
 */
@Tag("containers")
@Timeout(200)
final class PackageLifeIT {
  private static final int NO_COPY = 77;

  @Test
  void thePackageOfDebianIsInstalledRunRemovedAndPurgedWithoutATrace() throws Exception {
    assertThat(live("deb.sh", "_all.deb"))
        .contains("1 of 1 nodes", "data: on disk, async, on all nodes")
        .endsWith("--- left behind:\n");
  }

  @Test
  void thePackageOfRpmIsInstalledRunInstalledAgainAndRemovedButForWhatIsTheAdministrators()
      throws Exception {
    assertThat(live("rpm.sh", ".noarch.rpm"))
        .contains("1 of 1 nodes", "data: on disk, async, on all nodes")
        .endsWith(
            """
            --- left behind:
            /etc/canopy
            /etc/canopy/canopy.env.rpmsave
            /etc/canopy/canopy.yaml.rpmsave
            /var/lib/canopy
            """);
  }

  @Test
  void threeContainersOfTheImageAreAClusterAndLeaveOnSigterm() throws Exception {
    assertThat(output(List.of("image.sh"), "-image.tar"))
        .contains("3 of 3 nodes, 512 of 512 copies", "data: on disk, async, on all nodes")
        .endsWith("--- ended with 0: 3\n");
  }

  /** The output of a script in a copy of this machine; its exit code must be 0. */
  private static String live(String script, String suffix) throws Exception {
    return output(List.of("in-copy.sh", script), suffix);
  }

  private static String output(List<String> scripts, String suffix) throws Exception {
    Path directory = Path.of(System.getProperty("canopy.packages.scripts"));
    List<String> command = new ArrayList<>();
    scripts.forEach(script -> command.add(directory.resolve(script).toString()));
    command.add(Built.endingWith(suffix).toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    CompletableFuture.delayedExecutor(180, TimeUnit.SECONDS).execute(process::destroyForcibly);
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    int exitCode = process.waitFor();

    assumeTrue(exitCode != NO_COPY, output);
    assertThat(exitCode).as(output).isZero();
    return output;
  }
}
