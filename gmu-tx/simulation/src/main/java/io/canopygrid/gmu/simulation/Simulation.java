package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.InvariantViolation;
import io.canopygrid.gmu.protocol.ProtocolConfig;
import io.canopygrid.gmu.protocol.hot.HotLimits;
import io.canopygrid.gmu.simulation.Reads.Way;
import java.util.List;

/**
 * One run of a whole grid: nodes, network, membership, clients and faults, on one thread and in
 * virtual time. The seed decides everything.
 *
 * <p>{@link SimulatedFault} says what can go wrong. The failure model is that of protocol.md: as
 * many failures at once as the grid is made for, and the next failure only when all shards have
 * their owners again and all members have completed the flush. Planned changes may happen at any
 * time.
 */
public final class Simulation {
  /**
   * The time for which the grid is left alone at the end: for what is slow, and for the last marks.
   */
  private static final long REST = 1_500;

  private final SimulatedWorld world;
  private final NodeSteps steps;
  private final Membership membership;
  private final SimulatedLoad load;
  private final FaultPlan faults;
  private long ticksUntil = -1;

  /** The topology in which the rest at the end began last. */
  private long restedIn = -1;

  private Simulation(
      long seed, SimulationOptions options, NodeFactory factory, Watch watch, LoadMaker loads) {
    this.world = new SimulatedWorld(seed, options, watch.traced());
    this.steps = new NodeSteps(world, factory, config(), this::load, this::membership);
    this.membership = new Membership(world, steps, world.stream(2));
    this.load = loads.create(this);
    this.faults = new FaultPlan(world, steps, membership, load, world.stream(3));
  }

  /** Makes the load of a run, whose world and nodes are made already. */
  private interface LoadMaker {
    SimulatedLoad create(Simulation run);
  }

  private SimulatedLoad load() {
    return load;
  }

  private HandOvers membership() {
    return membership;
  }

  private ProtocolConfig config() {
    SimulationOptions options = world.options;
    SeededRandom own = world.stream(50);
    int resend = options.has(SimulatedFault.LOSS) ? own.oneOf(60, 150, 400) : 2_000;
    int scanned = own.oneOf(2, 1_000, 1_000);
    int bytes = own.oneOf(30, 1 << 20, 1 << 20);
    int failures =
        options.has(SimulatedFault.SHARD_LOSS) ? options.owners() : options.failuresAtOnce();
    return new ProtocolConfig(world.random.oneOf(30, 100, 300), scanned, bytes, 40)
        .withResendNanos(resend)
        .withCounterBits(options.counterBits())
        .withFailuresAtOnce(failures)
        .withRemovalBytes(own.oneOf(200, 1_000, 1 << 20))
        .withEntryBytes(entryBytesMax(options), 1)
        .withSnapshotAgeMaxNanos(LongReaders.ageMax(world))
        .withHot(hotLimits(options));
  }

  private long entryBytesMax(SimulationOptions options) {
    return options.has(SimulatedFault.EVICT) ? world.stream(51).oneOf(1, 1, 500) : Long.MAX_VALUE;
  }

  /** A key is hot with three reads, or one. */
  private HotLimits hotLimits(SimulationOptions options) {
    if (!options.reads().has(Way.HOT)) {
      return HotLimits.OFF;
    }
    SeededRandom own = world.stream(52);
    return new HotLimits(
        true, own.oneOf(1, 3), own.oneOf(50, 200), own.oneOf(100, 300, 1_000), own.oneOf(1, 5, 30));
  }

  /** Runs a grid of real nodes to the end. */
  public static SimulationResult run(long seed, SimulationOptions options) {
    return run(seed, options, NodeFactory.REAL, Watch.RESULT);
  }

  /** Runs to the end. */
  public static SimulationResult run(
      long seed, SimulationOptions options, NodeFactory factory, Watch watch) {
    LoadMaker clients = run -> new ClientLoad(run.world, run.steps, run.membership);
    return new Simulation(seed, options, factory, watch, clients).result(watch);
  }

  /** Runs a program above the transaction layer to the end. */
  public static SimulationResult run(
      long seed,
      SimulationOptions options,
      NodeFactory factory,
      Watch watch,
      GridProgram.Factory programs) {
    LoadMaker tasks =
        run -> new TaskLoad(run.world, run.steps, run.membership, run::isCalm, programs);
    return new Simulation(seed, options, factory, watch, tasks).result(watch);
  }

  private SimulationResult result(Watch watch) {
    List<String> failures = run();
    if (watch.historyReader() != null) {
      watch.historyReader().accept(load.history());
    }
    load.count(world.counters);
    world.network.count(world.counters);
    if (world.options.reads().has(Way.HOT)) {
      HotCheck.count(world);
    }
    world.counters.add("topologies", world.topology().id());
    return new SimulationResult(
        world.seed,
        world.options,
        List.copyOf(failures),
        List.copyOf(world.trace.lines()),
        world.trace.hash(),
        world.counters.all());
  }

  private List<String> run() {
    membership.start();
    load.start();
    world.after(25, this::tick);
    load.plan(faults);
    try {
      load.run();
    } catch (InvariantViolation e) {
      world.problems.add("invariant: " + e.getMessage());
      return world.problems;
    } catch (RuntimeException e) {
      world.problems.add("crash: " + e);
      return world.problems;
    }
    if (!world.events.isEmpty()) {
      world.problems.add("liveness: still busy at the time limit");
    }
    return load.check();
  }

  /** Whether there are no more faults, and all that they have done is repaired. */
  private boolean isCalm() {
    return faults.isOver() && membership.isRecovered();
  }

  private void tick() {
    for (SimulatedNode node : List.copyOf(world.nodes.values())) {
      if (!node.dead && !node.isPaused(world.now())) {
        steps.tick(node);
      }
    }
    boolean quiet = world.now() > world.faultsEnd && load.isFinished();
    boolean isNew = world.topology().id() != restedIn && world.options.has(SimulatedFault.POWER);
    if (quiet && (ticksUntil < 0 || isNew)) {
      restedIn = world.topology().id();
      // Where the power fails a copy is an owner's only once its watermark is forced.
      ticksUntil = world.now() + (world.options.has(SimulatedFault.POWER) ? 3 * REST : REST);
    }
    if (ticksUntil < 0) {
      world.after(world.random.oneOf(15, 40, 90), this::tick);
    } else if (world.now() < ticksUntil) {
      world.after(120, this::tick);
    }
  }
}
