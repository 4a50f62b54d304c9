package io.canopygrid.ycsb.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.server.cli.JavaCommand;
import io.canopygrid.server.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The demonstration as the user runs it, but shorter. */
@Timeout(600)
final class DemoCommandIT {
  @TempDir Path temporary;

  @Test
  void everyBalanceIsThereAfterTheDeathOfAllNodes() throws Exception {
    List<String> command = JavaCommand.ofThisJvm();
    command.addAll(List.of("-Xmx256m", "-Djava.io.tmpdir=" + temporary));
    command.addAll(List.of("-cp", JavaCommand.classPath(), Main.class.getName()));
    command.addAll(List.of("demo", "--seconds", "1", "--ycsb-seconds", "0.2", "--heap", "256m"));
    Path errors = temporary.resolve("said");
    Process demo = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    CompletableFuture.delayedExecutor(400, TimeUnit.SECONDS).execute(demo::destroyForcibly);

    List<String> results = demo.inputReader(UTF_8).lines().toList();

    assertThat(demo.waitFor()).as(() -> results + said(errors)).isZero();
    assertThat(results)
        .anyMatch(line -> line.startsWith("Bank: ") && line.endsWith("every sum was exact"))
        .anyMatch(line ->
            line.startsWith("Death: all 3 nodes were killed at once")
                && line.endsWith("5000 accounts have a sum of 5000000, and each its balance"))
        .last()
        .isEqualTo("PASSED: everything was as it must be");
    try (Stream<Path> left = Files.list(temporary)) {
      assertThat(left.filter(path -> path.getFileName().toString().startsWith("canopy-data-")))
          .as("data directories are removed")
          .isEmpty();
    }
  }

  private static String said(Path errors) {
    try {
      return Files.readString(errors);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
