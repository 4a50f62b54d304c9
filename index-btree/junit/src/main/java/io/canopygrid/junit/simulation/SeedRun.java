package io.canopygrid.junit.simulation;

import io.canopygrid.btree.simulation.CommitHistory;
import io.canopygrid.btree.simulation.TreeNodes;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import io.canopygrid.gmu.simulation.Simulation;
import io.canopygrid.gmu.simulation.SimulationResult;
import io.canopygrid.gmu.simulation.Watch;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of one seed, on a thread of its own, while another one looks whether it goes on: a body
 * that blocks otherwise than by its client would block the whole run.
 */
final class SeedRun {
  private static final long LOOK_MILLIS = 50;

  /** The names of clients' threads begin with it. */
  private static final String CLIENT = "simulated ";

  private static final long END_MILLIS_MAX = 1_000;

  private final long seed;
  private final RunLimits limits;
  private final Consumer<Scenario> scenario;
  private final CountDownLatch over = new CountDownLatch(1);

  private volatile @Nullable SimulatedGrid grid;
  private volatile @Nullable ScenarioProgram program;
  private @Nullable SimulationResult result;
  private @Nullable Throwable crash;

  SeedRun(long seed, RunLimits limits, Consumer<Scenario> scenario) {
    this.seed = seed;
    this.limits = limits;
    this.scenario = scenario;
  }

  /**
   * Runs it.
   *
   * @param traced whether the result has all events
   */
  SeedResult run(boolean traced) {
    Thread thread = new Thread(() -> simulate(traced), "simulation of seed " + seed);
    thread.setDaemon(true);
    thread.start();
    long steps = -1;
    long lastNanos = System.nanoTime();
    while (!isOver(LOOK_MILLIS)) {
      SimulatedGrid known = grid;
      long now = known == null ? -1 : known.steps();
      if (now != steps) {
        steps = now;
        lastNanos = System.nanoTime();
      } else if (System.nanoTime() - lastNanos >= limits.standstill().toNanos()) {
        return standsStill(known, thread);
      }
    }
    return ended();
  }

  private boolean isOver(long millis) {
    try {
      return over.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while seed " + seed + " runs", e);
    }
  }

  private void simulate(boolean traced) {
    try {
      Scenario programs = new Scenario();
      scenario.accept(programs);
      if (programs.clients().isEmpty()) {
        throw new IllegalArgumentException(
            "a scenario must have a client: scenario.client(\"any\", client -> …)");
      }
      CommitHistory history = new CommitHistory();
      result =
          Simulation.run(
              seed,
              limits.options(),
              TreeNodes.shipped(history),
              traced ? Watch.TRACE : Watch.RESULT,
              simulated -> {
                ScenarioProgram made = new ScenarioProgram(simulated, programs, history);
                program = made;
                grid = simulated;
                return made;
              });
      Objects.requireNonNull(program, "program").close();
    } catch (RuntimeException | Error e) {
      crash = e;
    } finally {
      over.countDown();
    }
  }

  private SeedResult standsStill(@Nullable SimulatedGrid known, Thread thread) {
    Thread running = known == null ? null : known.runningThread();
    Thread stuck = running == null ? thread : running;
    Throwable place = new IllegalStateException("here is " + who(stuck));
    place.setStackTrace(stuck.getStackTrace());
    stuck.interrupt();
    isOver(END_MILLIS_MAX);
    return SeedResult.cutOff(
        who(stuck)
            + " has not called Canopy for "
            + limits.standstill().toMillis()
            + " ms: it waits for a thread, a lock or a clock outside of the simulation, or"
            + " computes for longer",
        place,
        story());
  }

  private static String who(Thread thread) {
    String name = thread.getName();
    return name.startsWith(CLIENT) ? name.substring(CLIENT.length()) : name;
  }

  private List<String> story() {
    ScenarioProgram made = program;
    return made == null ? List.of() : List.copyOf(made.story().lines());
  }

  private SeedResult ended() {
    SimulationResult ended = result;
    ScenarioProgram made = program;
    if (ended == null || made == null) {
      Throwable thrown = crash == null ? new IllegalStateException("no result") : crash;
      if (program == null && thrown instanceof RuntimeException ofScenario) {
        throw ofScenario;
      }
      return SeedResult.cutOff(thrown.toString(), thrown, story());
    }
    ScenarioProgram.Failure failure = made.failure();
    return new SeedResult(
        problem(ended, made),
        failure == null ? null : failure.thrown(),
        true,
        ended.traceHash(),
        story(),
        ended.trace(),
        ended.counters());
  }

  private @Nullable String problem(SimulationResult ended, ScenarioProgram made) {
    ScenarioProgram.Failure failure = made.failure();
    if (failure != null) {
      return failure.who() + " threw " + failure.thrown();
    }
    if (!made.running().isEmpty()) {
      return made.running()
          + " have not ended after "
          + limits.virtual().toMillis()
          + " ms of virtual time";
    }
    return ended.failed() ? String.join("; ", ended.failures()) : null;
  }
}
