package io.canopygrid.btree.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.simulation.GridProgram;
import io.canopygrid.gmu.simulation.HistoryEntry;
import io.canopygrid.gmu.simulation.SeededRandom;
import io.canopygrid.gmu.simulation.SimulatedFault;
import io.canopygrid.gmu.simulation.SimulatedGrid;
import io.canopygrid.gmu.simulation.Simulation;
import io.canopygrid.gmu.simulation.SimulationOptions;
import io.canopygrid.gmu.simulation.SimulationResult;
import io.canopygrid.gmu.simulation.Watch;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The history of any updates is checked: what the shipped code commits is serializable. */
final class CommitHistoryTest {
  private static final SimulationOptions OPTIONS =
      SimulationOptions.of(3, 5, 2, SimulatedFault.parse("network,crash,join,move"));

  @Test
  void theShippedCodeIsSerializable() {
    assertThat(LongStream.range(0, 20).boxed().toList())
        .allSatisfy(seed -> assertThat(run(seed, node -> node).failures()).isEmpty());
  }

  @Test
  void aReadThatIsNotValidatedIsFound() {
    UnaryOperator<GmuNode> blind =
        node ->
            new AlteredNode(
                node,
                (footprint, split) ->
                    split
                        ? footprint
                        : new Footprint(List.of(), footprint.ranges(), footprint.writes()));

    assertThat(LongStream.range(0, 20).boxed().toList())
        .anySatisfy(seed ->
            assertThat(run(seed, blind).failures())
                .anySatisfy(failure -> assertThat(failure).contains("not serializable")));
  }

  private static SimulationResult run(long seed, UnaryOperator<GmuNode> face) {
    CommitHistory history = new CommitHistory();
    return Simulation.run(
        seed,
        OPTIONS,
        TreeNodes.shipped(history),
        Watch.RESULT,
        grid -> new Counting(grid, new ShippedHandles(grid, history), face));
  }

  /** Clients that count, each at a node of its own choice, in an index that is split. */
  private record Counting(SimulatedGrid grid, ShippedHandles handles, UnaryOperator<GmuNode> face)
      implements GridProgram {
    private static final int CLIENTS = 4;
    private static final int UPDATES = 6;
    private static final int KEYS = 10;

    @Override
    public void onNode(GmuNode node) {
      handles.add(face.apply(node));
    }

    @Override
    public void start() {
      for (int i = 0; i < CLIENTS; i++) {
        SeededRandom random = grid.random(i);
        grid.client("counter " + i, 1, () -> count(random));
      }
    }

    private void count(SeededRandom random) {
      for (int i = 0; i < UPDATES; i++) {
        GmuNode node = grid.anyUsable(random);
        grid.use(
            node,
            () -> {
              try {
                Canopy canopy = handles.handle(node);
                Index<Long, Long> index =
                    canopy.index("counts", Codec.int64(), Codec.int64(), new IndexOptions(4));
                long key = random.below(KEYS);
                canopy.run(tx -> tx.on(index).compute(key, (id, had) -> had == null ? 1 : had + 1));
              } catch (RuntimeException e) {
                grid.note("an update ended by " + e.getClass());
              }
            });
      }
    }

    @Override
    public List<String> check() {
      return handles.check();
    }

    @Override
    public List<HistoryEntry> history() {
      return List.of();
    }

    @Override
    public Map<String, Long> counts() {
      return Map.of();
    }
  }
}
