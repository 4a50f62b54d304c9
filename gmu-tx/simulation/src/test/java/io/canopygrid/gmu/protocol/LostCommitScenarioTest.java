package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import io.canopygrid.gmu.message.Message.Ack;
import io.canopygrid.gmu.message.Message.Decide;
import io.canopygrid.gmu.spi.Fences;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A commit that dies with all who have heard of it never was (protocol.md, Garbage). */
final class LostCommitScenarioTest {
  private static final NodeId N2 = Grid.id(2);
  private static final NodeId N3 = Grid.id(3);
  private static final NodeId N4 = Grid.id(4);

  @Test
  void nobodyBeginsAtIt() {
    assertThat(beginsBelowIt()).isTrue();
    assertThat(Mutation.FLOOR_OF_BACKUPS.during(() -> beginsBelowIt())).isFalse();
  }

  private static boolean beginsBelowIt() {
    Grid grid = new Grid(5, 3, Fences.NONE, Grid.CONFIG.withFailuresAtOnce(2));
    CompositeKey key = grid.key(0, "a");

    // Two nodes may fail at once; so what node 0 and its backup 1 know is not to be seen yet.
    Grid.Tx writer = grid.begin(0);
    writer.write(key, "1");
    writer.commit();
    grid.hold(m -> m.message() instanceof Ack || (m.message() instanceof Decide && m.to() == 2));
    grid.settle();
    grid.tick();
    grid.settle();
    grid.crash(0);
    grid.crash(1);
    grid.install(
        new Topology(
            2,
            List.of(N2, N3, N4),
            List.of(
                owners(N2),
                owners(N2, N3),
                owners(N2, N3, N4),
                owners(N3, N4),
                owners(N4),
                owners(N2, N3, N4))));
    grid.letGo();
    Grid.Tx reader = grid.begin(3);
    boolean begunBelow = reader.clock.get(0) == 0;
    long request = reader.ask(new ReadQuery.Get(key));
    grid.settle();
    assertThat(grid.answers).containsKey(request);
    return begunBelow;
  }

  private static Placement owners(NodeId... nodes) {
    return new Placement(List.of(nodes), List.of());
  }
}
