package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.spi.Fences;
import org.junit.jupiter.api.Test;

/** A grid at work, without faults. */
final class FaultFreeTest {
  @Test
  void oneNodeServesAtOnceAndCommitsInOnePhaseWithoutAMessage() {
    Grid grid = new Grid(1, 1, Fences.NONE);
    Grid.Tx writer = grid.begin(0);
    writer.write(grid.key(0, "a"), "1");
    writer.commit();
    assertThat(grid.wire).isEmpty();
    assertThat(writer.outcome()).isInstanceOf(Outcome.Committed.class);
    assertThat(writer.ended()).matches(e -> e != null && e.onePhase());
    assertThat(grid.begin(0).get(grid.key(0, "a"))).isEqualTo("1");
    assertThat(grid.nodes.get(0).size(grid.kcl(0)).entries()).isEqualTo(1);
  }

  @Test
  void severalShardsCommitInTwoPhases() {
    Grid grid = new Grid(3, 2, Fences.NONE);
    Grid.Tx writer = grid.begin(0);
    assertThat(writer.get(grid.key(0, "a"))).isNull();
    assertThat(writer.get(grid.key(1, "b"))).isNull();
    writer.write(grid.key(1, "b"), "1");
    writer.write(grid.key(2, "c"), "2");
    assertThat(writer.commitAndSettle()).isInstanceOf(Outcome.Committed.class);
    for (int node = 0; node < 3; node++) {
      Grid.Tx reader = grid.begin(node);
      assertThat(reader.get(grid.key(1, "b"))).isEqualTo("1");
      assertThat(reader.get(grid.key(2, "c"))).isEqualTo("2");
      assertThat(reader.scan(grid.kcl(2), "a", null).entries()).hasSize(1);
    }
    grid.tick();
    grid.settle();
    for (ProtocolNode node : grid.nodes) {
      assertThat(node.status().decisions()).isZero();
      assertThat(node.status().shards()).allMatch(ProtocolStatus.Shard::isIdle);
    }
  }

  @Test
  void whatIsBelowTheHorizonIsDropped() {
    Grid grid = new Grid(3, 2, Fences.NONE);
    for (int i = 0; i < 5; i++) {
      assertThat(grid.put(i % 3, grid.key(1, "a"), i == 4 ? null : "" + i))
          .isInstanceOf(Outcome.Committed.class);
    }
    for (int i = 0; i < 4; i++) {
      grid.tick();
      grid.settle();
    }
    assertThat(grid.nodes.get(1).view(1).size()).isZero();
    assertThat(grid.nodes.get(1).status().shards()).allMatch(s -> s.logged() == 0);
    assertThat(grid.begin(2).get(grid.key(1, "a"))).isNull();
  }
}
