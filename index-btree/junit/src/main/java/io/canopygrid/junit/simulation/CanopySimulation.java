package io.canopygrid.junit.simulation;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Runs the bodies of a test against a simulated grid, once for each of many seeds: the shipped code
 * of Canopy on several nodes, in virtual time and on one thread at a time. The seed decides which
 * client goes on, how long messages take, what fails and when. The same seed gives the same run.
 *
 * <pre>{@code
 * CanopySimulation.of(3)
 *     .faults(GridFault.KILL, GridFault.DELAY)
 *     .seeds(1, 200)
 *     .run(scenario -> scenario
 *         .setUp(client -> open(client.canopy(), 100))
 *         .clients("mover", 3, client -> transfer(client.canopy(), client.random()))
 *         .check(client -> assertEquals(100, sum(client.canopy()))));
 * }</pre>
 *
 * <p>A body takes time and chance from its {@link ScenarioClient}: it starts no threads, waits for
 * nothing but Canopy, and looks at no clock. Each instance is immutable.
 */
public final class CanopySimulation {
  /** A seed that is run in place of all others, for a failure that is looked at. */
  public static final String SEED_PROPERTY = "canopy.simulation.seed";

  private static final int NODES_MAX = 6;
  private static final long SEEDS_DEFAULT = 100;
  private static final Duration VIRTUAL_MIN = Duration.ofSeconds(30);
  private static final Duration VIRTUAL_DEFAULT = Duration.ofMinutes(1);
  private static final Duration VIRTUAL_MAX = Duration.ofHours(1);
  private static final Duration STANDSTILL_DEFAULT = Duration.ofSeconds(10);

  private final RunLimits limits;
  private final long first;
  private final long count;
  private final boolean twice;

  private CanopySimulation(RunLimits limits, long first, long count, boolean twice) {
    this.limits = limits;
    this.first = first;
    this.count = count;
    this.twice = twice;
  }

  /**
   * A grid of so many nodes without faults, and the seeds 1 to 100. Two nodes have a copy of each
   * entry.
   *
   * @param nodes 1 to 6
   */
  public static CanopySimulation of(int nodes) {
    require(nodes >= 1 && nodes <= NODES_MAX, "nodes must be 1 to 6: nodes=" + nodes);
    return new CanopySimulation(
        new RunLimits(nodes, Set.of(), VIRTUAL_DEFAULT, STANDSTILL_DEFAULT),
        1,
        SEEDS_DEFAULT,
        false);
  }

  /**
   * The things that may go wrong while clients run. Each run has some of them.
   *
   * @throws IllegalArgumentException where there are too few nodes for one of them
   */
  public CanopySimulation faults(GridFault... faults) {
    EnumSet<GridFault> all = EnumSet.noneOf(GridFault.class);
    all.addAll(Arrays.asList(faults));
    for (GridFault fault : all) {
      require(
          limits.nodes() >= fault.nodesMin(),
          fault + " needs " + fault.nodesMin() + " nodes: nodes=" + limits.nodes());
    }
    return with(
        new RunLimits(
            limits.nodes(),
            Collections.unmodifiableSet(all),
            limits.virtual(),
            limits.standstill()));
  }

  /**
   * The seeds, one after the other.
   *
   * @param from the first one
   * @param number how many, at least 1
   */
  public CanopySimulation seeds(long from, long number) {
    require(number >= 1, "number must be >= 1: number=" + number);
    return new CanopySimulation(limits, from, number, twice);
  }

  /** One seed: that of a failure. */
  public CanopySimulation seed(long only) {
    return seeds(only, 1);
  }

  /**
   * Runs each seed twice, and fails where the two runs differ: then some body takes time or chance
   * from elsewhere. Without this only a seed that fails is run again.
   */
  public CanopySimulation eachTwice() {
    return new CanopySimulation(limits, first, count, true);
  }

  /**
   * The virtual time after which a client that has not ended fails the run, one minute unless told
   * otherwise.
   *
   * @param limit 30 seconds to 1 hour
   */
  public CanopySimulation virtualTimeLimit(Duration limit) {
    require(
        limit.compareTo(VIRTUAL_MIN) >= 0 && limit.compareTo(VIRTUAL_MAX) <= 0,
        "the virtual time must be 30 s to 1 h: limit=" + limit);
    return with(new RunLimits(limits.nodes(), limits.faults(), limit, limits.standstill()));
  }

  /**
   * The real time after which a body that does not call Canopy fails the run, as it waits for
   * something outside of the simulation: 10 seconds unless told otherwise.
   */
  public CanopySimulation standstillLimit(Duration limit) {
    require(!limit.isNegative() && !limit.isZero(), "must be positive: limit=" + limit);
    return with(new RunLimits(limits.nodes(), limits.faults(), limits.virtual(), limit));
  }

  private CanopySimulation with(RunLimits others) {
    return new CanopySimulation(others, first, count, twice);
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }

  /**
   * Runs all seeds, or the one of the system property {@value #SEED_PROPERTY}.
   *
   * @param scenario fills in the programs of one run; called for each run
   * @return what has happened
   * @throws SimulationFailure for the first seed that fails
   */
  public SimulationReport run(Consumer<Scenario> scenario) {
    Objects.requireNonNull(scenario, "scenario");
    Long only = Long.getLong(SEED_PROPERTY);
    long from = only == null ? first : only;
    long end = only == null ? first + count : only + 1;
    SimulationReport report = new SimulationReport();
    for (long seed = from; seed != end; seed++) {
      SeedResult result = once(seed, scenario, false);
      if (result.failed()) {
        throw failure(seed, scenario, result);
      }
      if (twice && once(seed, scenario, false).hash() != result.hash()) {
        throw new SimulationFailure(
            seed, "seed " + seed + " " + difference(seed, scenario), null, result.story());
      }
      report.add(result);
    }
    return report;
  }

  private SeedResult once(long seed, Consumer<Scenario> scenario, boolean traced) {
    return new SeedRun(seed, limits, scenario).run(traced);
  }

  private SimulationFailure failure(long seed, Consumer<Scenario> scenario, SeedResult result) {
    boolean isSame = !result.isOver() || once(seed, scenario, false).hash() == result.hash();
    String again =
        isSame
            ? "to run it alone: .seed(" + seed + "), or -D" + SEED_PROPERTY + "=" + seed
            : "a second run of the seed " + difference(seed, scenario);
    return new SimulationFailure(
        seed, FailureText.of(seed, result, again), result.cause(), result.story());
  }

  /** Why two runs of a seed were not the same. */
  private String difference(long seed, Consumer<Scenario> scenario) {
    String where = RunDifference.between(once(seed, scenario, true), once(seed, scenario, true));
    return "is not the same as the first: bodies must take time and chance from their client, and"
        + " share nothing that outlives a run. "
        + (where == null ? "Later runs are the same" : "Two runs differ in " + where);
  }
}
