package io.canopygrid.gmu.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that writes is killed, again and again. Each time its disk has a prefix of its steps,
 * and all steps for which it has said so. The long form: {@code -Dcanopy.storage.kills=200}.
 */
final class CrashTest {
  private static final int KILLS = Integer.getInteger("canopy.storage.kills", 4);
  private static final long SEED = Long.getLong("canopy.storage.seed", 1);
  private static final int LINES_MAX = 3_000;

  @TempDir Path temporary;

  @Test
  void aKilledProcessLeavesAllThatItsWritesHaveReturnedFor()
      throws IOException, InterruptedException {
    Path path = temporary.resolve("data");
    CrashHistory history = new CrashHistory(SEED, List.of());
    Random random = new Random(SEED);
    for (int kill = 1; kill <= KILLS; kill++) {
      // Every fourth one is killed while it opens what the one before has left.
      long said = run(path, history, kill % 4 == 0 ? 1 : 1 + random.nextInt(LINES_MAX));
      try (RocksStorage storage = TestEngine.open(path)) {
        long position = storage.openedAt();
        assertThat(position)
            .as("seed %d, kill %d", SEED, kill)
            .isGreaterThanOrEqualTo(said)
            .isGreaterThanOrEqualTo(last(history));
        history = history.reopened(position);
        assertThat(Contents.of(storage.recovered()))
            .as("seed %d, kill %d, position %d", SEED, kill, position)
            .isEqualTo(Contents.of(history.at(position).image().recovered()));
      }
    }
    assertThat(last(history)).as("steps that were written").isPositive();
  }

  private static long last(CrashHistory history) {
    List<Long> reopenings = history.reopenings();
    return reopenings.isEmpty() ? 0 : reopenings.get(reopenings.size() - 1);
  }

  /** Runs a process until it has said this many lines, kills it, and returns the last one. */
  private static long run(Path path, CrashHistory history, int lines)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                CrashWriter.class.getName(),
                path.toString(),
                history.asText())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
      long said = 0;
      int read = 0;
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        said = Math.max(said, Long.parseLong(line));
        if (++read == lines) {
          // A handle kills, and leaves open what the process has said before.
          process.toHandle().destroyForcibly();
        }
      }
      assertThat(read).as("lines until it ended").isGreaterThanOrEqualTo(lines);
      return said;
    } finally {
      process.destroyForcibly().waitFor();
    }
  }
}
