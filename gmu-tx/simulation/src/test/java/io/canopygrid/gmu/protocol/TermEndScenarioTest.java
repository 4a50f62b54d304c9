package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.spi.Fences;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The commits that a node must not make once it is a primary no longer (protocol.md, Term's end).
 */
final class TermEndScenarioTest {
  @Test
  void aOnePhaseTransactionEndsWithTheTermOfItsLocks() {
    assertThat(outcomeOfTheFirst()).isInstanceOf(Outcome.Aborted.class);
    assertThat(Mutation.ONE_PHASE_OUTLIVES.during(() -> outcomeOfTheFirst()))
        .isInstanceOf(Outcome.Committed.class);
  }

  /** Of two transactions that each read what the other one writes; the second commits. */
  private static Outcome outcomeOfTheFirst() {
    Grid grid = new Grid(3, 2, Fences.NONE, Grid.CONFIG);
    CompositeKey a = grid.key(0, "a");
    CompositeKey b = grid.key(0, "b");
    CompositeKey top = CompositeKey.of(1, Grid.bytes("top"));

    // Node 0 is the primary of shard 0 and TOP. In TOP a lock is in the way, of who waits long.
    Grid.Tx inTheWay = grid.begin(2);
    inTheWay.write(top, "0");
    inTheWay.write(grid.key(2, "elsewhere"), "0");
    inTheWay.commit();
    grid.hold(m -> m.message() instanceof Message.Vote && m.to() == 2);
    grid.settle();
    Grid.Tx first = grid.begin(0);
    assertThat(first.get(a)).isNull();
    first.write(b, "1");
    first.write(top, "1");
    first.commit();
    assertThat(first.hasEnded()).isFalse();

    // Shard 0 goes to node 1, which knows of no lock there.
    NodeId n0 = Grid.id(0);
    NodeId n1 = Grid.id(1);
    NodeId n2 = Grid.id(2);
    List<Placement> shards =
        List.of(owners(n1, n0), owners(n1, n2), owners(n2, n0), owners(n0, n1, n2));
    grid.install(new Topology(2, List.of(n0, n1, n2), shards));
    grid.settle();
    Grid.Tx second = grid.begin(1);
    assertThat(second.get(b)).isNull();
    second.write(a, "2");
    assertThat(second.commitAndSettle()).isInstanceOf(Outcome.Committed.class);
    grid.letGo();
    return first.outcome();
  }

  private static Placement owners(NodeId... nodes) {
    return new Placement(List.of(nodes), List.of());
  }
}
