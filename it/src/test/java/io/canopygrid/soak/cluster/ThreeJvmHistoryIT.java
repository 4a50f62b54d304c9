package io.canopygrid.soak.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.history.Anomaly;
import io.canopygrid.history.Damage;
import io.canopygrid.history.History;
import io.canopygrid.history.HistoryChecker;
import io.canopygrid.history.Model;
import io.canopygrid.history.Txn;
import io.canopygrid.history.Verdict;
import io.canopygrid.history.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Three JVMs, nothing killed, subtrees split, merged and moved all the time: what thousands of
 * transactions saw is extended update serializable; and the same clients, doing something wrong on
 * purpose, are found out.
 */
final class ThreeJvmHistoryIT {
  private static final long SEED = Long.getLong("canopy.seed", 20_140_630L);
  private static final int LIST_TRANSACTIONS = Integer.getInteger("canopy.lists", 10_000);
  private static final int SCAN_TRANSACTIONS = Integer.getInteger("canopy.scans", 5_000);
  private static final int PLANTED_TRANSACTIONS = 2_000;
  private static final long CHANGES_LEAST = 100;
  private static final long SPLITS_LEAST = 20;
  private static final int RUNS_MOST = 4;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private static Path directory;

  private static Cluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster = Cluster.start(3, directory, System.nanoTime());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /**
   * The changes of the structure in a run.
   *
   * @param made by the nodes at random
   * @param splits of any cause
   * @param run in words
   */
  private record Changes(long made, long splits, String run) {
    boolean suffice() {
      return made > CHANGES_LEAST && splits > SPLITS_LEAST;
    }
  }

  /** Nodes change the structure at a steady pace, so a fast cluster may have to run for longer. */
  @ParameterizedTest
  @CsvSource({"LIST_APPEND", "INDEX_SCAN"})
  void randomTransactionsShowNoAnomaly(Workload workload) throws IOException {
    int transactions = workload == Workload.LIST_APPEND ? LIST_TRANSACTIONS : SCAN_TRANSACTIONS;
    Changes changes = runWithoutAnomaly(workload, SEED, transactions);
    for (int run = 1; run < RUNS_MOST && !changes.suffice(); run++) {
      // The seed is in the name of the index, and SEED + 1 is the seed of another test.
      changes = runWithoutAnomaly(workload, SEED + 1 + run, transactions << run);
    }
    assertThat(changes.made())
        .as("changes of the structure, %s", changes)
        .isGreaterThan(CHANGES_LEAST);
    assertThat(changes.splits()).as("splits, %s", changes).isGreaterThan(SPLITS_LEAST);
  }

  private static Changes runWithoutAnomaly(Workload workload, long seed, int transactions)
      throws IOException {
    List<Command> before = cluster.askAll(Command.of("stats"), LIMIT);

    Recording recording =
        Recording.of(cluster, directory, workload, ClientBug.NONE, seed, transactions);

    String run = "seed " + seed + ", " + recording;
    assertThat(recording.sum("errors")).as(run).isZero();
    assertThat(recording.sum("failedReads")).as("read-only aborts, %s", run).isZero();
    List<Command> after = cluster.askAll(Command.of("stats"), LIMIT);
    assertWhatHappened(before, after, run);
    assertThat(recording.carved()).as(run).allMatch(node -> node.text("failure").equals("-"));
    assertTwoCopies(workload, recording.index());
    History history = recording.history();
    assertThat(history.txns().stream().filter(txn -> txn.status() == Txn.Status.OK))
        .as(run)
        .hasSizeGreaterThanOrEqualTo(transactions);
    Verdict verdict = HistoryChecker.check(history, Model.EXTENDED_UPDATE_SERIALIZABLE, true);
    assertThat(verdict.clean()).as("%s%n%s", run, verdict).isTrue();
    System.out.println(workload + ": " + verdict + "\n  " + run);
    return new Changes(recording.changes(), splits(after) - splits(before), run);
  }

  /** All nodes coordinated, and asked each other. */
  private static void assertWhatHappened(List<Command> before, List<Command> after, String run) {
    for (int node = 0; node < after.size(); node++) {
      assertThat(after.get(node).number("commits") - before.get(node).number("commits"))
          .as("commits of node %s, %s", node, run)
          .isGreaterThan(1_000);
      assertThat(
              after.get(node).number("remoteRequests") - before.get(node).number("remoteRequests"))
          .as("remote requests of node %s, %s", node, run)
          .isGreaterThan(1_000);
    }
  }

  /** The index is sound, and all of it is on two nodes, once splits under way are done. */
  private static void assertTwoCopies(Workload workload, String index) {
    Command check = Command.of("check").with("workload", workload.name()).with("index", index);
    Awaitility.await()
        .atMost(LIMIT)
        .untilAsserted(() -> {
          List<Command> nodes = cluster.askAll(check, LIMIT);
          long entries = nodes.get(0).number("entries");
          assertThat(entries).isGreaterThan(100);
          assertThat(nodes).allMatch(node -> node.number("closing") == 0);
          assertThat(nodes).allMatch(node -> node.number("entries") == entries);
          assertThat(nodes).allMatch(node -> node.number("copies") > entries / 10);
          assertThat(nodes.stream().mapToLong(node -> node.number("copies")).sum())
              .isEqualTo(2 * entries);
        });
  }

  private static long splits(List<Command> stats) {
    return stats.stream().mapToLong(answer -> answer.number("splits")).sum();
  }

  /** The kinds of cycles that a run has, of those that a bug makes, are a matter of timing. */
  @ParameterizedTest
  @CsvSource({
    "LIST_APPEND, TWO_TRANSACTIONS, LOST_UPDATE READ_SKEW WRITE_SKEW",
    "LIST_APPEND, LOSE_APPEND,      LOST_WRITE",
    "LIST_APPEND, DENY_COMMIT,      ABORTED_READ",
    "INDEX_SCAN,  TWO_TRANSACTIONS, PREDICATE_SKEW",
    "INDEX_SCAN,  LOSE_APPEND,      LOST_WRITE",
    "INDEX_SCAN,  DENY_COMMIT,      ABORTED_READ"
  })
  void aPlantedBugIsFound(Workload workload, ClientBug plant, String anomalies) throws IOException {
    Recording recording =
        Recording.of(cluster, directory, workload, plant, SEED, PLANTED_TRANSACTIONS);

    Verdict verdict =
        HistoryChecker.check(recording.history(), Model.EXTENDED_UPDATE_SERIALIZABLE, true);

    assertThat(verdict.counts().keySet())
        .as("seed %s, %s", SEED, verdict)
        .containsAnyElementsOf(
            Arrays.stream(anomalies.split(" ", -1)).map(Anomaly::valueOf).toList());
  }

  @Test
  void damageToARecordedHistoryIsFound() throws IOException {
    Recording recording =
        Recording.of(
            cluster,
            directory,
            Workload.LIST_APPEND,
            ClientBug.NONE,
            SEED + 1,
            PLANTED_TRANSACTIONS);
    History history = recording.history();

    assertThat(HistoryChecker.check(history, Model.EXTENDED_UPDATE_SERIALIZABLE, true).clean())
        .isTrue();
    assertThat(Damage.SWAP.foundPercent(history, 20, SEED)).isEqualTo(100);
    assertThat(Damage.GAP.foundPercent(history, 20, SEED)).isEqualTo(100);
    assertThat(Damage.LOSS.foundPercent(history, 20, SEED)).isEqualTo(100);
    assertThat(Damage.PAST.foundPercent(history, 100, SEED)).isGreaterThanOrEqualTo(40);
  }
}
