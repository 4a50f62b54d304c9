package io.canopygrid.gmu.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.simulation.SimulationOptions.Faults;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Many runs of the whole grid. Each seed is run on one thread; several seeds at a time. */
final class SimulationTest {
  @Test
  void withoutFaultsEveryPromiseIsKept() {
    run(0, 2_000, SimulationOptions.DEFAULT);
  }

  @Test
  void nodesJoinAndLeaveAndShardsMove() {
    run(10_000, 300, SimulationOptions.DEFAULT.with(Faults.PLANNED));
  }

  @Test
  void nodesFailOneAtATime() {
    run(20_000, 400, SimulationOptions.DEFAULT.with(Faults.ALL));
  }

  @Test
  void threeOwnersAndFiveNodes() {
    run(30_000, 100, SimulationOptions.of(5, 5, 3, Faults.ALL));
  }

  @Test
  void oneOwnerAndPlannedChanges() {
    run(40_000, 200, SimulationOptions.of(4, 5, 1, Faults.PLANNED));
  }

  @Test
  void oneShardAndManyClients() {
    run(50_000, 200, SimulationOptions.of(3, 1, 2, Faults.ALL).withSessions(12));
  }

  @Test
  void theSameSeedGivesTheSameTrace() {
    for (Faults faults : Faults.values()) {
      SimulationOptions options = SimulationOptions.DEFAULT.with(faults);
      for (long seed = 0; seed < 10; seed++) {
        long first = trace(seed, options);
        assertThat(trace(seed, options)).as("seed %s %s", seed, faults).isEqualTo(first);
        assertThat(trace(seed + 1, options)).as("seed %s", seed).isNotEqualTo(first);
      }
    }
  }

  private static long trace(long seed, SimulationOptions options) {
    Simulation run = new Simulation(seed, options, NodeFactory.REAL, false);
    run.run();
    return run.traceHash();
  }

  private static void run(long first, int seeds, SimulationOptions options) {
    AtomicLong committed = new AtomicLong();
    List<String> failures =
        LongStream.range(first, first + seeds)
            .parallel()
            .boxed()
            .flatMap(seed -> {
              Simulation run = new Simulation(seed, options, NodeFactory.REAL, false);
              List<String> problems = run.run();
              committed.addAndGet(run.committed());
              return problems.stream().map(problem -> "seed " + seed + ": " + problem);
            })
            .toList();
    assertThat(failures).as("%s", options).isEmpty();
    // A run in which little happens proves little: of the transactions most have to commit.
    long all = (long) seeds * options.sessions() * options.transactions();
    assertThat(committed.get()).as("%s", options).isGreaterThan(all / 2);
  }
}
