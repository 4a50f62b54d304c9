package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.gmu.InvariantViolation;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.spi.Fences;
import org.junit.jupiter.api.Test;

/**
 * The end of the numbers that commits are given (docs/protocol.md, Limits), with three of them in
 * an epoch.
 */
final class NumbersTest {
  private static final ProtocolConfig TINY = Grid.CONFIG.withCounterBits(2);

  private static final ProtocolConfig THREE_EPOCHS = Grid.CONFIG.withCounterBits(61);

  @Test
  void afterTheLastNumberWritesAreRefusedUntilTheNextTopology() {
    Grid grid = new Grid(2, 2, Fences.NONE, TINY);
    for (int i = 0; i < 3; i++) {
      assertThat(grid.put(0, grid.key(0, "k"), "v" + i)).isInstanceOf(Outcome.Committed.class);
    }
    assertThat(grid.others.get(0))
        .filteredOn(Effect.NumbersRunOut.class::isInstance)
        .containsExactly(new Effect.NumbersRunOut(1, 0));

    for (int node = 0; node < 2; node++) {
      Grid.Tx writer = grid.begin(node);
      writer.write(grid.key(0, "k"), "w");
      writer.commitAndSettle();
      assertThat(writer.reason()).isEqualTo(AbortReason.SHARD_UNAVAILABLE);
    }
    Grid.Tx reader = grid.begin(1);
    assertThat(reader.get(grid.key(0, "k"))).isEqualTo("v2");
    assertThat(reader.commitAndSettle()).isInstanceOf(Outcome.Committed.class);

    grid.install(2, 2, 2);
    grid.settle();
    Outcome renewed = grid.put(1, grid.key(0, "k"), "w");
    assertThat(((Outcome.Committed) renewed).clock().get(0)).isEqualTo(TINY.epochStart(2) + 1);
  }

  @Test
  void aTopologyAboveAllEpochsStopsTheNode() {
    Grid grid = new Grid(2, 2, Fences.NONE, THREE_EPOCHS);
    grid.install(3, 2, 2);
    assertThatThrownBy(() -> grid.install(4, 2, 2))
        .isInstanceOf(InvariantViolation.class)
        .hasMessageContaining("topology 4 is above all epochs");
  }
}
