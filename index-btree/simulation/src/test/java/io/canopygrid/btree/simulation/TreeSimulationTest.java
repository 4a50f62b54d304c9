package io.canopygrid.btree.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.simulation.Reads;
import io.canopygrid.gmu.simulation.SimulatedFault;
import io.canopygrid.gmu.simulation.SimulatedWork;
import io.canopygrid.gmu.simulation.SimulationOptions;
import io.canopygrid.gmu.simulation.SimulationResult;
import io.canopygrid.gmu.simulation.Watch;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Many runs of the shipped tree on simulated grids. Each seed is run alone, some at a time. */
final class TreeSimulationTest {
  /** The long form: so many times as many seeds. */
  private static final int TIMES = Integer.getInteger("canopy.seeds.times", 1);

  @Test
  void withoutFaultsEveryPromiseIsKept() {
    run(0, 50, SimulationOptions.DEFAULT);
  }

  @Test
  void nodesJoinAndLeaveAndShardsMove() {
    run(10_000, 50, SimulationOptions.DEFAULT.with(SimulatedFault.PLANNED));
  }

  @Test
  void nodesFail() {
    run(20_000, 100, SimulationOptions.DEFAULT.with(SimulatedFault.ALL));
  }

  /** Nodes die at once, some or all of them without power; what the cuts took is told. */
  @Test
  void powerCuts() {
    SimulationOptions options =
        SimulationOptions.of(3, 5, 2, SimulatedFault.parse("power,kill-all,move"))
            .withTransactions(4)
            .withWork(SimulatedWork.parse("commits,tables"));
    List<SimulationResult> results = results(64_000, 40, options);
    assertThat(failuresOf(results)).as("%s", options).isEmpty();
    for (String seen :
        List.of("cuts", "sessions told of a cut", "commits committed", "tables indexes compared")) {
      assertThat(results.stream().mapToLong(result -> result.count(seen)).sum())
          .as("%s of %s", seen, options)
          .isGreaterThan(10);
    }
  }

  @Test
  void threeOwnersAndFiveNodes() {
    run(30_000, 25, SimulationOptions.of(5, 8, 3, SimulatedFault.ALL));
  }

  /** Three nodes that all have everything, and so answer half of the transactions themselves. */
  @Test
  void readsAtBackups() {
    SimulationOptions options = SimulationOptions.of(3, 2, 3, SimulatedFault.ALL).with(Reads.ALL);
    run(40_000, 50, options);
    run(40_100, 50, options.with(SimulatedFault.NETWORK));
  }

  @Test
  void namedCommitsAndFunctionsHappenOnce() {
    work(
        60_000,
        40,
        "commits,functions",
        "commits committed",
        "commits looked up NOT_COMMITTED",
        "commits looked up COMMITTED",
        "calls answered",
        "calls answered by name",
        "calls looked up NOT_COMMITTED",
        "calls looked up COMMITTED",
        "questions lost");
  }

  @Test
  void tablesAgreeWithTheirIndexes() {
    work(
        61_000,
        25,
        "tables",
        "tables built",
        "tables dropped",
        "tables refused",
        "tables violations",
        "tables indexes compared",
        "tables unfinished indexes compared",
        "tables told NOT_COMMITTED");
  }

  @Test
  void cursorsShowOneSnapshot() {
    work(
        62_000,
        25,
        "cursors",
        "cursors walks in one transaction",
        "cursors walks of a snapshot",
        "cursors walks of the present",
        "cursors walks given up of a snapshot",
        "cursors errors CNPY-3014 UNKNOWN_SNAPSHOT");
  }

  @Test
  void loadsSayWhatIsThere() {
    work(
        63_000,
        25,
        "loads",
        "loads loads",
        "loads flushed",
        "loads refused",
        "loads failed",
        "loads compared",
        "loads told COMMITTED");
  }

  /** Dropped indexes are read in snapshots from before, and by nobody else. */
  @Test
  void dropsTakeAwayWhatIsThereAndNothingElse() {
    work(
        3_001_700,
        40,
        "drops",
        "drops dropped",
        "drops not there",
        "drops gone",
        "drops compared",
        "drops compared in snapshots",
        "drops predecessors compared",
        "drops tables dropped",
        "drops tables compared");
  }

  /** States of the past are the same for all, and each has what was there at its time. */
  @Test
  void thePastIsTheSameForAll() {
    work(
        65_000,
        25,
        "past",
        "past marked",
        "past states",
        "past errors CNPY-3014 UNKNOWN_SNAPSHOT",
        "past told COMMITTED");
  }

  /** Copies that are kept by feeds are told each change once, in order, and end like the index. */
  @Test
  void feedsTellEachCommitOnceAndInOrder() {
    work(
        66_000,
        25,
        "feeds",
        "feeds begun",
        "feeds followed",
        "feeds resumed",
        "feeds repeated",
        "feeds compared",
        "feeds told COMMITTED");
  }

  /** The values that a change replaced are on the disks only, and all nodes die at times. */
  @Test
  void feedsOfDataLargerThanMemory() {
    SimulationOptions options =
        SimulationOptions.DEFAULT
            .with(SimulatedFault.parse("evict,kill-all,restart,move"))
            .withSessions(2)
            .withTransactions(4)
            .withWork(SimulatedWork.parse("feeds"));
    assertThat(failuresOf(results(67_000, 15, options))).as("%s", options).isEmpty();
  }

  /** A clone is its parent as it was, and its own changes; what nobody needs any more goes. */
  @Test
  void clonesShowTheirParentsAsTheyWere() {
    work(
        68_000,
        30,
        "clones",
        "clones made",
        "clones made of snapshots",
        "clones flattened",
        "clones dropped",
        "clones compared",
        "clones compared late",
        "clones compared in snapshots",
        "clones predecessors compared",
        "clones removals above layers",
        "clones removals when flat",
        "clones removals when settled",
        "clones all pins let go",
        "clones told COMMITTED");
  }

  @Test
  void clonesOfDataLargerThanMemory() {
    SimulationOptions options =
        SimulationOptions.DEFAULT
            .with(SimulatedFault.parse("evict,kill-all,restart,move"))
            .withSessions(2)
            .withTransactions(4)
            .withWork(SimulatedWork.parse("clones"));
    assertThat(failuresOf(results(69_000, 10, options))).as("%s", options).isEmpty();
  }

  /** A transaction that has the end of a flattening has all that was copied before. */
  @Test
  void theEndOfAFlatteningComesAfterItsCopies() {
    SimulationOptions options =
        SimulationOptions.DEFAULT
            .with(SimulatedFault.ALL)
            .withSessions(2)
            .withTransactions(4)
            .withWork(SimulatedWork.parse("clones"));
    assertThat(TreeSimulation.run(1_136, options, Watch.RESULT).failures()).isEmpty();
  }

  @Test
  void clientsOfServersHearOnceWhatBecameOfTheirCommits() {
    work(
        7_900_000,
        80,
        "remote",
        "remote answered",
        "remote lost sent",
        "remote lost unsent",
        "remote looked up COMMITTED",
        "remote looked up NOT_COMMITTED",
        "remote look-ups lost",
        "remote told COMMITTED");
  }

  @Test
  void globalTransactionsEndAllOrNothing() {
    work(
        1_300,
        40,
        "global",
        "global prepared",
        "global committed",
        "global rolled back",
        "global recovered",
        "global managers dead before the decision",
        "global managers dead after the decision",
        "global written beside",
        "global compared");
  }

  /** The runs are short: the tests of mutations say how little of them is enough. */
  private static void work(long from, int count, String kinds, String... all) {
    SimulationOptions options =
        SimulationOptions.DEFAULT
            .with(SimulatedFault.ALL)
            .withSessions(2)
            .withTransactions(4)
            .withWork(SimulatedWork.parse(kinds));
    List<SimulationResult> results = results(from, count, options);
    assertThat(failuresOf(results)).as("%s", options).isEmpty();
    for (String seen : all) {
      assertThat(results.stream().mapToLong(result -> result.count(seen)).sum())
          .as("%s of %s", seen, options)
          .isGreaterThan(10);
    }
  }

  /** A partition that was put off begins when all clients have ended. */
  @Test
  void theLastClientWaitsForFaultsThatWerePutOff() {
    SimulationOptions options = SimulationOptions.DEFAULT.with(SimulatedFault.ALL);
    assertThat(TreeSimulation.run(3_001_306, options, Watch.RESULT).failures()).isEmpty();
  }

  /** A founder that stands still hears of the grid's first topology before any other one. */
  @Test
  void aFounderThatIsPausedHearsOfTheFirstTopology() {
    SimulationOptions options =
        SimulationOptions.DEFAULT.with(SimulatedFault.ALL).withSessions(2).withTransactions(6);
    assertThat(TreeSimulation.run(1_364, options, Watch.RESULT).failures()).isEmpty();
  }

  /** A page of the crown that has nothing but removed entries is not all of it. */
  @Test
  void theCrownIsAskedBeyondWhatWasRemoved() {
    SimulationOptions options = SimulationOptions.DEFAULT.with(SimulatedFault.ALL).with(Reads.ALL);
    assertThat(TreeSimulation.run(80_004_978, options, Watch.RESULT).failures()).isEmpty();
  }

  /** A copy of the crown that is behind leads a commit back to where it was refused. */
  @Test
  void aCommitIsNotSentToAndFroBetweenTwoSubtrees() {
    SimulationOptions options =
        SimulationOptions.DEFAULT.with(SimulatedFault.ALL).withWork(SimulatedWork.parse("all"));
    assertThat(TreeSimulation.run(70_006_636, options, Watch.RESULT).failures()).isEmpty();
  }

  /** All nodes die when a table has its rows and not its definitions yet. */
  @Test
  void aTableThatIsThereInPartIsCreatedToItsEnd() {
    SimulationOptions options =
        SimulationOptions.of(4, 5, 2, Set.of(SimulatedFault.KILL_ALL))
            .withSessions(1)
            .withTransactions(1)
            .withWork(SimulatedWork.parse("tables"));
    SimulationResult result = TreeSimulation.run(5_001, options, Watch.RESULT);
    assertThat(result.failures()).isEmpty();
    assertThat(result.count("tables creations ended")).isPositive();
  }

  /** A power cut takes the end of a build that a client was told of. */
  @Test
  void anIndexWhoseEndACutHasTakenIsBuiltAnew() {
    SimulationOptions options =
        SimulationOptions.of(4, 5, 2, Set.of(SimulatedFault.KILL_ALL, SimulatedFault.POWER))
            .withSessions(1)
            .withTransactions(1)
            .withWork(SimulatedWork.parse("tables"));
    assertThat(TreeSimulation.run(21_000_265, options, Watch.RESULT).failures()).isEmpty();
  }

  @Test
  void theSameSeedGivesTheSameTrace() {
    for (Set<SimulatedFault> faults : List.of(SimulatedFault.NETWORK, SimulatedFault.ALL)) {
      SimulationOptions options = SimulationOptions.DEFAULT.with(faults);
      for (long seed = 0; seed < 5; seed++) {
        SimulationResult first = TreeSimulation.run(seed, options, Watch.TRACE);
        SimulationResult second = TreeSimulation.run(seed, options, Watch.TRACE);
        assertThat(second.trace()).as("seed %s %s", seed, faults).isEqualTo(first.trace());
        assertThat(second.traceHash()).isEqualTo(first.traceHash());
        assertThat(second.counters()).isEqualTo(first.counters());
        assertThat(TreeSimulation.run(seed + 1, options, Watch.RESULT).traceHash())
            .as("seed %s", seed)
            .isNotEqualTo(first.traceHash());
      }
    }
  }

  /**
   * Runs on other threads at the same time change nothing. In these seeds a node dies at which
   * several commits are under way: their clients hear of it in the order of the commits, whatever
   * threads have begun them.
   */
  @Test
  void theSameSeedGivesTheSameTraceWhateverElseRuns() {
    SimulationOptions options = SimulationOptions.DEFAULT.with(SimulatedFault.ALL);
    List<Long> seeds = List.of(12L, 29L, 46L, 57L, 80L, 135L, 139L, 196L);
    Map<Long, Set<Long>> hashes = new ConcurrentHashMap<>();
    IntStream.range(0, 6 * seeds.size())
        .parallel()
        .forEach(turn -> {
          long seed = seeds.get(turn % seeds.size());
          long hash = TreeSimulation.run(seed, options, Watch.RESULT).traceHash();
          hashes.computeIfAbsent(seed, s -> ConcurrentHashMap.newKeySet()).add(hash);
          TreeSimulation.run(50_000 + turn, options, Watch.RESULT);
        });
    assertThat(hashes).containsOnlyKeys(seeds);
    assertThat(hashes)
        .allSatisfy((seed, traces) -> assertThat(traces).as("seed %s", seed).hasSize(1));
  }

  private static void run(long first, int count, SimulationOptions options) {
    int seeds = count * TIMES;
    List<SimulationResult> results = results(first, seeds, options);
    assertThat(failuresOf(results)).as("%s", options).isEmpty();
    // A run in which little happens proves little.
    assertThat(results.stream().mapToLong(result -> result.count("splits")).sum())
        .as("splits of %s", options)
        .isGreaterThan(3L * seeds);
    for (String change : List.of("shifts", "retired", "removed")) {
      assertThat(results.stream().mapToLong(result -> result.count(change)).sum())
          .as("%s of %s", change, options)
          .isGreaterThan(seeds);
    }
    long all = (long) seeds * options.sessions() * options.transactions();
    assertThat(results.stream().mapToLong(r -> r.count("attempts committed")).sum())
        .as("commits of %s", options)
        .isGreaterThan(all / 2);
  }

  private static List<SimulationResult> results(long first, int seeds, SimulationOptions options) {
    return LongStream.range(first, first + seeds)
        .parallel()
        .mapToObj(seed -> TreeSimulation.run(seed, options, Watch.RESULT))
        .toList();
  }

  private static List<String> failuresOf(List<SimulationResult> results) {
    return results.stream()
        .filter(SimulationResult::failed)
        .map(result -> "seed " + result.seed() + ": " + result.failures())
        .toList();
  }
}
