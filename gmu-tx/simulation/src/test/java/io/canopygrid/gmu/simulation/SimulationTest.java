package io.canopygrid.gmu.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Many runs of the whole grid. Each seed is run on one thread; several seeds at a time. */
final class SimulationTest {
  /** The long form: so many times as many seeds. */
  private static final int TIMES = Integer.getInteger("canopy.seeds.times", 1);

  @Test
  void withoutFaultsEveryPromiseIsKept() {
    run(0, 800, SimulationOptions.DEFAULT);
  }

  @Test
  void nodesJoinAndLeaveAndShardsMove() {
    run(10_000, 150, SimulationOptions.DEFAULT.with(SimulatedFault.PLANNED));
  }

  @Test
  void nodesFailOneAtATime() {
    run(20_000, 200, SimulationOptions.DEFAULT.with(SimulatedFault.ALL));
  }

  @Test
  void threeOwnersAndFiveNodes() {
    run(30_000, 50, SimulationOptions.of(5, 5, 3, SimulatedFault.ALL));
  }

  @Test
  void oneOwnerAndPlannedChanges() {
    run(40_000, 100, SimulationOptions.of(4, 5, 1, SimulatedFault.PLANNED));
  }

  @Test
  void oneShardAndManyClients() {
    run(50_000, 100, SimulationOptions.of(3, 1, 2, SimulatedFault.ALL).withSessions(12));
  }

  @Test
  void allWaysToRead() {
    run(60_000, 100, SimulationOptions.DEFAULT.with(Reads.ALL));
    run(70_000, 100, SimulationOptions.DEFAULT.with(SimulatedFault.ALL).with(Reads.ALL));
    run(
        80_000,
        50,
        SimulationOptions.of(3, 2, 2, SimulatedFault.ALL).withSessions(12).with(Reads.ALL));
  }

  /** Nodes die at once, some or all of them without power, and again while they found the grid. */
  @Test
  void powerCuts() {
    Set<SimulatedFault> often = SimulatedFault.parse("power,kill-all,move,join");
    run(0, 100, SimulationOptions.of(3, 2, 2, often).withSessions(12), 0.3);
    run(0, 100, SimulationOptions.of(4, 2, 2, often).withSessions(12), 0.3);
    Set<SimulatedFault> all = SimulatedFault.parse("all,power,kill-all,restart,without,disk-loss");
    run(0, 50, SimulationOptions.of(5, 5, 3, all).with(Reads.ALL), 0.3);
  }

  @Test
  void epochsThatEndAfterSevenNumbers() {
    SimulationOptions tiny = SimulationOptions.of(4, 2, 2, SimulatedFault.NETWORK).withSessions(12);
    run(90_000, 50, tiny.withCounterBits(3));
    run(95_000, 50, tiny.with(SimulatedFault.ALL).withCounterBits(4));
  }

  /** A request to a lost shard hears at once that it is unavailable; the others are as before. */
  @Test
  void shardsLoseAllTheirOwners() {
    SimulationOptions one =
        SimulationOptions.of(4, 5, 1, SimulatedFault.parse("shard-loss,move,give-up"));
    SimulationOptions two =
        SimulationOptions.of(6, 5, 2, SimulatedFault.parse("shard-loss,join,reorder"));
    for (long seed = 85_000; seed < 85_050; seed++) {
      assertThat(Simulation.run(seed, one).failures()).as("seed %s, %s", seed, one).isEmpty();
      assertThat(Simulation.run(seed, two).failures()).as("seed %s, %s", seed, two).isEmpty();
    }
  }

  /** Nodes that store what they have die together, and the grid comes back from their disks. */
  @Test
  void allNodesDieAndComeBack() {
    double share = 0.35; // the others are cut short
    run(
        110_000,
        75,
        SimulationOptions.DEFAULT.with(SimulatedFault.parse("kill-all,reorder")),
        share);
    run(
        111_000,
        50,
        SimulationOptions.DEFAULT.with(SimulatedFault.parse("all,kill-all")).with(Reads.ALL),
        share);
    run(
        112_000,
        30,
        SimulationOptions.of(5, 5, 3, SimulatedFault.parse("all,kill-all,disk-loss")),
        share);
    run(
        113_000,
        30,
        SimulationOptions.of(4, 3, 1, SimulatedFault.parse("planned,kill-all")),
        share);
  }

  /** An operator says that disks are lost without which the grid would wait. */
  @Test
  void allNodesDieAndSomeDisksAreLostForGood() {
    long words = 0;
    for (long seed = 114_000; seed < 114_120; seed++) {
      words += words(seed, 3, 2, "kill-all,without,reorder,delay");
    }
    for (long seed = 116_000; seed < 116_050; seed++) {
      words += words(seed, 4, 3, "all,kill-all,without");
    }
    assertThat(words).isGreaterThan(20);
  }

  private static long words(long seed, int nodes, int owners, String faults) {
    SimulationOptions options =
        SimulationOptions.of(nodes, 3, owners, SimulatedFault.parse(faults));
    SimulationResult result = Simulation.run(seed, options);
    assertThat(result.failures()).as("seed %s, %s", seed, options).isEmpty();
    return result.counters().getOrDefault("words on lost disks", 0L);
  }

  /** A node that is made an owner without the state stops, and the grid goes on without it. */
  @Test
  void nodesAreMadeOwnersTooEarly() {
    SimulationOptions options =
        SimulationOptions.of(5, 4, 2, SimulatedFault.parse("hasty-join,planned,crash"));
    long stopped = 0;
    for (long seed = 86_000; seed < 86_050; seed++) {
      SimulationResult result = Simulation.run(seed, options);
      assertThat(result.failures()).as("seed %s, %s", seed, options).isEmpty();
      stopped += result.counters().getOrDefault("hasty nodes stopped", 0L);
    }
    assertThat(stopped).isPositive();
  }

  /** A named snapshot lacks what an expelled node told as committed before others have seen it. */
  @Test
  void aCommitToldFromOutsideIsSeenLater() {
    SimulationOptions all = SimulationOptions.DEFAULT.with(SimulatedFault.ALL).with(Reads.ALL);
    assertThat(Simulation.run(63_020_190, all).failures()).isEmpty();
  }

  /** Two nodes die that alone had heard of a commit: nobody may wait for it. */
  @Test
  void aLostCommitIsInNoFloor() {
    SimulationOptions options =
        SimulationOptions.of(5, 5, 3, SimulatedFault.ALL).withSessions(10).withTransactions(4);
    assertThat(Simulation.run(4_001_427, options).failures()).isEmpty();
  }

  /** A learner is not more patient because of what it asked for in earlier topologies. */
  @Test
  void aLostStateIsAskedForAgainSoon() {
    SimulationOptions options =
        SimulationOptions.of(4, 5, 2, SimulatedFault.ALL).withSessions(8).withTransactions(8);
    assertThat(Simulation.run(20_005_878, options.with(Reads.ALL)).failures()).isEmpty();
  }

  /** A learner that asks again sooner than an answer takes would ask for ever. */
  @Test
  void aSlowStateTransferEnds() {
    SimulationOptions options =
        SimulationOptions.of(6, 5, 2, SimulatedFault.parse("join,pause,shard-loss,delay,loss,skip"))
            .with(Reads.ALL);
    assertThat(Simulation.run(6_000_230, options).failures()).isEmpty();
  }

  /** A node that was expelled, and was told so, answers from its past. */
  @Test
  void anExpelledNodeDoesNotKnowTheNewest() {
    EnumSet<SimulatedFault> faults = EnumSet.copyOf(SimulatedFault.ALL);
    faults.remove(SimulatedFault.FOREIGN_CLOCKS);
    SimulationOptions all = SimulationOptions.DEFAULT.with(faults);
    Reads most = Reads.parse("serializable,nearest,parallel,turns");
    assertThat(Simulation.run(5_000_940, all.with(most)).failures()).isEmpty();
    Reads parallel = Reads.parse("parallel");
    assertThat(Simulation.run(5_400_697, all.with(parallel)).failures()).isEmpty();
  }

  /** Clocks of another grid, or of a former life of this one, harm nobody. */
  @Test
  void clientsBringForeignClocks() {
    SimulationOptions foreign =
        SimulationOptions.DEFAULT.with(SimulatedFault.parse("foreign-clocks,crash,move"));
    run(7_000_000, 150, foreign.with(Reads.ALL));
    run(7_100_000, 50, SimulationOptions.of(3, 1, 2, Set.of(SimulatedFault.FOREIGN_CLOCKS)));
  }

  /** Transactions that run for too long end as too old, and by nothing else. */
  @Test
  void longReadersAreToldThatTheyAreTooOld() {
    SimulationOptions readers =
        SimulationOptions.DEFAULT.with(SimulatedFault.parse("long-readers,planned,crash,stale"));
    SimulationOptions all =
        SimulationOptions.DEFAULT.with(SimulatedFault.parse("all,long-readers"));
    // Of these many are told that they are too old: fewer commit.
    run(7_200_000, 100, readers.with(Reads.ALL), 0.3);
    run(7_300_000, 50, all, 0.3);
  }

  @Test
  void theSameSeedGivesTheSameTrace() {
    for (Set<SimulatedFault> faults :
        List.of(
            SimulatedFault.NONE,
            SimulatedFault.NETWORK,
            SimulatedFault.PLANNED,
            SimulatedFault.ALL)) {
      SimulationOptions options = SimulationOptions.DEFAULT.with(faults);
      for (long seed = 0; seed < 10; seed++) {
        SimulationResult first = Simulation.run(seed, options, NodeFactory.REAL, Watch.TRACE);
        SimulationResult again = Simulation.run(seed, options, NodeFactory.REAL, Watch.TRACE);
        assertThat(again.trace()).as("seed %s %s", seed, faults).isEqualTo(first.trace());
        assertThat(again).as("seed %s %s", seed, faults).isEqualTo(first);
        long other = Simulation.run(seed + 1, options).traceHash();
        assertThat(other).as("seed %s", seed).isNotEqualTo(first.traceHash());
      }
    }
  }

  private static void run(long first, int seeds, SimulationOptions options) {
    run(first, seeds, options, 0.5);
  }

  private static void run(long first, int count, SimulationOptions options, double leastShare) {
    int seeds = count * TIMES;
    AtomicLong committed = new AtomicLong();
    List<String> failures =
        LongStream.range(first, first + seeds)
            .parallel()
            .boxed()
            .flatMap(seed -> {
              SimulationResult result = Simulation.run(seed, options);
              committed.addAndGet(result.count("transactions committed"));
              return result.failures().stream().map(what -> "seed " + seed + ": " + what);
            })
            .toList();
    assertThat(failures).as("%s", options).isEmpty();
    // A run in which little happens proves little: so many of the transactions have to commit.
    long all = (long) seeds * options.sessions() * options.transactions();
    assertThat(committed.get()).as("%s", options).isGreaterThan((long) (all * leastShare));
  }
}
