package io.canopygrid.gmu.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.canopygrid.gmu.storage.Storage.Batch;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** After a failure a storage takes nothing, and has all that it had taken before. */
final class FailureTest {
  private static final CrashHistory HISTORY = new CrashHistory(1, List.of());
  private static final int STEPS_MAX = 100_000;

  @TempDir Path temporary;

  /** The engine's own work reads files that were changed, and fails. */
  @Test
  void afterAFailureInTheBackgroundItTakesNothing() throws IOException {
    Path path = temporary.resolve("data");
    RocksStorage storage = TestEngine.open(path);
    ChangeGenerator generator = HISTORY.at(0).generator();
    while (sortedFiles(path).size() < 2) {
      write(storage, generator);
    }
    assertThatThrownBy(
            () -> {
              while (generator.position() < STEPS_MAX) {
                for (Path file : sortedFiles(path)) {
                  damage(file);
                }
                write(storage, generator);
              }
              storage.force();
            })
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.reason()).isIn(Reason.DAMAGED, Reason.FAILED));
    assertThatThrownBy(() -> write(storage, generator)).isInstanceOf(StorageException.class);
    assertThatThrownBy(storage::force).isInstanceOf(StorageException.class);
    storage.close();
  }

  private static void damage(Path file) throws IOException {
    try {
      Files.write(file, new byte[(int) Files.size(file)], StandardOpenOption.WRITE);
    } catch (NoSuchFileException e) {
      // the engine has just put another one in its place
    }
  }

  private static void write(RocksStorage storage, ChangeGenerator generator) {
    storage.write(List.of(new Batch(generator.position() + 1, generator.next())));
  }

  private static List<Path> sortedFiles(Path path) throws IOException {
    try (Stream<Path> files = Files.list(path.resolve("engine"))) {
      return files.filter(file -> file.toString().endsWith(".sst")).toList();
    }
  }

  /** The system lets a process write no file beyond some size: its log fails. */
  @Test
  void aWriteThatFailsIsTheLastOne() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "files can be limited");
    Path path = temporary.resolve("data");
    TestEngine.open(path).close();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                LimitedWriter.class.getName(),
                path.toString(),
                HISTORY.reopened(0).asText())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> said;
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      said = out.lines().toList();
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(said).hasSize(4);
    long written = Long.parseLong(said.get(0));
    assertThat(said.subList(1, 4)).containsExactly("FAILED", "FAILED", "FAILED");
    try (RocksStorage storage = TestEngine.open(path)) {
      assertThat(storage.openedAt()).isBetween(written, written + 1);
      assertThat(Contents.of(storage.recovered()))
          .isEqualTo(
              Contents.of(
                  HISTORY
                      .reopened(0)
                      .reopened(storage.openedAt())
                      .at(storage.openedAt())
                      .image()
                      .recovered()));
    }
  }
}
