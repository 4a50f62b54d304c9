package io.canopygrid.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.ClusterConfig;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.server.endpoint.TestServer;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clones are made, listed, flattened and dropped at the command line and in the shell. */
@NullUnmarked // the node is there while a test runs
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class CloneCommandsTest {
  /** A step between two states that are kept, and more. */
  private static final long STEP_MILLIS = 1_500;

  private TestServer server;
  private EmbeddedCanopy node;
  private Index<Long, String> visits;

  @BeforeEach
  void start() {
    ClusterConfig config = ClusterConfig.of("cloned").port(0).retention(Duration.ofMinutes(1));
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

  private void shows(String clone, String value) {
    CommandRun run = canopy("shell", "-e", "get " + clone + " 1", "-o", "json");
    assertThat(run)
        .isEqualTo(new CommandRun(0, "{\"key\":\"1\",\"value\":\"" + value + "\"}\n", ""));
  }

  @Test
  void aCloneOfThePresentIsMadeListedFlattenedAndDropped() {
    CommandRun made = canopy("clone", "create", "trial", "--of", "visits", "-o", "json");
    assertThat(made.out())
        .matches(
            "\\{\"clone\":\"trial\",\"parent\":\"visits\",\"of\":\"20[^\"]*Z\",\"depth\":1}\\R");
    assertThat(canopy("clone", "list", "-o", "json")).isEqualTo(made);
    put("second");
    shows("trial", "first");
    failed(canopy("clone", "create", "trial", "--of", "visits"), 1, "CNPY-3023 INDEX_EXISTS");
    failed(canopy("clone", "create", "b", "--of", "nothing"), 1, "CNPY-3006 UNKNOWN_INDEX");
    assertThat(canopy("clone", "flatten", "trial", "-o", "json"))
        .isEqualTo(new CommandRun(0, "{\"index\":\"trial\",\"copied\":1}\n", ""));
    assertThat(canopy("clone", "list").out()).isEmpty();
    assertThat(canopy("clone", "flatten", "trial", "-o", "json").out()).contains("\"copied\":0");
    failed(canopy("clone", "flatten", "nothing"), 1, "CNPY-3006 UNKNOWN_INDEX");
    shows("trial", "first");
    assertThat(canopy("index", "drop", "trial", "--yes")).isEqualTo(new CommandRun(0, "", ""));
    shows("visits", "second");
  }

  @Test
  void aCloneIsOfASnapshotOrATime() {
    Instant then = Instant.now().plusMillis(STEP_MILLIS);
    // Returns when this state is kept.
    node.read(TransactionOptions.DEFAULTS.asOf(then), tx -> tx.on(visits).count());
    canopy("snapshot", "create", "night");
    put("second");
    String time = then.toString();
    canopy("clone", "create", "a", "--of", "visits", "--at", "night");
    canopy("clone", "create", "b", "--of", "visits", "--as-of", time);
    shows("a", "first");
    shows("b", "first");
    String[] both = {"clone", "create", "c", "--of", "visits", "--at", "night", "--as-of", time};
    failed(canopy(both), 2, "mutually exclusive");
    failed(canopy("clone", "create", "c"), 2, "--of");
    failed(
        canopy("clone", "create", "c", "--of", "visits", "--at", "noon"),
        1,
        "CNPY-3014 UNKNOWN_SNAPSHOT");
    failed(canopy("clone", "create", "c", "--of", "visits", "--as-of", "yesterday"), 2, "--as-of");
  }

  @Test
  void theShellClonesWhatItReads() {
    canopy("snapshot", "create", "night");
    put("second");
    String all =
        "clone visits now; begin --snapshot night; clone visits then; commit; flatten now; clones";
    CommandRun run = canopy("shell", "-o", "json", "-e", all);
    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines().map(line -> line.replaceAll("\"of\":\"[^\"]*\",", "")))
        .containsExactly(
            "{\"clone\":\"now\",\"parent\":\"visits\",\"depth\":1}",
            "{\"clone\":\"then\",\"parent\":\"visits\",\"depth\":1}",
            "{\"index\":\"now\",\"copied\":1}",
            "{\"clone\":\"then\",\"parent\":\"visits\",\"depth\":1}");
    shows("now", "second");
    shows("then", "first");
    failed(
        canopy("shell", "-e", "begin; clone visits third"),
        1,
        "a clone is no part of a transaction");
  }
}
