package io.canopygrid.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.ClusterConfig;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.server.endpoint.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots are taken, listed, read and dropped at the command line, and the past is read. */
@NullUnmarked // the node is there while a test runs
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class PastCommandsTest {
  /** So long after a commit there is a state with it, and more. */
  private static final long STEP_MILLIS = 1_500;

  private TestServer server;
  private EmbeddedCanopy node;
  private Index<Long, String> visits;

  @BeforeEach
  void start() {
    ClusterConfig config = ClusterConfig.of("past").port(0).retention(Duration.ofMinutes(1));
    node = EmbeddedCanopy.join(config);
    server = TestServer.of(node, 0);
    visits = node.index("visits", Codec.int64(), Codec.string());
    put("first");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void put(String value) {
    node.run(tx -> tx.on(visits).put(1L, value));
  }

  private CommandRun canopy(String... words) {
    return CommandRun.at(server.address(), words);
  }

  private static void failed(CommandRun run, int exitCode, String why) {
    assertThat(run.err()).contains(why);
    assertThat(run.exitCode()).isEqualTo(exitCode);
  }

  private static void shows(CommandRun run) {
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("first").doesNotContain("second");
  }

  @Test
  void aSnapshotIsTakenListedReadAndDropped() {
    CommandRun taken = canopy("snapshot", "create", "night", "-o", "json");
    assertThat(taken.out()).startsWith("{\"snapshot\":\"night\",\"taken\":\"20");
    assertThat(canopy("snapshot", "list", "-o", "json")).isEqualTo(taken);
    put("second");
    shows(canopy("shell", "-e", "begin --snapshot night; get visits 1; commit"));
    failed(canopy("snapshot", "create", "night"), 1, "CNPY-3013 SNAPSHOT_EXISTS");
    failed(canopy("snapshot", "create", "@7"), 1, "CNPY-3008 INVALID_ARGUMENT");
    failed(canopy("snapshot", "drop", "night"), 2, "there is no terminal to ask at: give --yes");
    assertThat(canopy("snapshot", "drop", "night", "--yes")).isEqualTo(new CommandRun(0, "", ""));
    failed(canopy("snapshot", "drop", "night", "--yes"), 1, "CNPY-3014 UNKNOWN_SNAPSHOT");
    assertThat(canopy("snapshot", "list").out()).isEmpty();
  }

  @Test
  void theStateOfATimeIsExportedAndReadInTheShell(@TempDir Path directory) throws Exception {
    Instant then = Instant.now().plusMillis(STEP_MILLIS);
    // Returns when this state is kept.
    node.read(TransactionOptions.DEFAULTS.asOf(then), tx -> tx.on(visits).count());
    put("second");
    Path file = directory.resolve("visits.csv");
    assertThat(
            canopy("export", file.toString(), "--index", "visits", "--as-of", then.toString())
                .err())
        .doesNotContain("CNPY");
    assertThat(Files.readString(file)).contains("first").doesNotContain("second");
    shows(canopy("shell", "-e", "begin --as-of " + then + "; get visits 1"));
    failed(
        canopy("shell", "-e", "begin --as-of " + then + " --snapshot night"),
        1,
        "CNPY-3008 INVALID_ARGUMENT");
    failed(
        canopy("shell", "-e", "begin --as-of 1980-01-01T00:00:00Z; get visits 1"),
        1,
        "CNPY-3014 UNKNOWN_SNAPSHOT");
    failed(
        canopy("export", file.toString(), "--index", "visits", "--as-of", "yesterday"),
        2,
        "--as-of");
  }
}
