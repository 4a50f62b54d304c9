package io.canopygrid.gmu.node;

import static io.canopygrid.gmu.node.TestNodes.firstOf;
import static io.canopygrid.gmu.node.TestNodes.get;
import static io.canopygrid.gmu.node.TestNodes.in;
import static io.canopygrid.gmu.node.TestNodes.key;
import static io.canopygrid.gmu.node.TestNodes.standalone;
import static io.canopygrid.gmu.node.TestNodes.threeNodes;
import static io.canopygrid.gmu.node.TestNodes.value;
import static io.canopygrid.gmu.node.TestNodes.write;
import static io.canopygrid.gmu.node.TestNodes.writes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.simulation.InProcessNetwork;
import io.canopygrid.gmu.spi.NodeHost;
import io.canopygrid.gmu.spi.Transport;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clocks from outside that no transaction of the grid had (protocol.md, Clocks from outside). */
@Timeout(60)
final class ForeignClocksTest {
  /** A forged clock is refused: the shard that it names serves reads and writes. */
  @Test
  void aForeignClockHarmsNobody() throws TimeoutException {
    try (GmuNode node = standalone()) {
      for (VectorClock impossible :
          List.of(
              VectorClock.ZERO.with(9_000, 1),
              VectorClock.ZERO.with(3, (9L << 40) + 5),
              VectorClock.ZERO.with(3, (node.topology().id() << 40) + 1),
              VectorClock.ZERO.with(3, node.topology().id() << 40 | 1 << 20))) {
        assertThatThrownBy(() -> node.begin(impossible, in(10_000)))
            .isInstanceOf(ForeignClockException.class);
        assertThatThrownBy(() -> node.beginAt(impossible, true, in(10_000)))
            .isInstanceOf(ForeignClockException.class);
      }
      GmuTransaction writer = node.begin(VectorClock.ZERO, in(10_000));
      assertThat(writer.commit(write(key(3, 1), 2), "")).isInstanceOf(Outcome.Committed.class);
      GmuTransaction reader = node.begin(VectorClock.ZERO, in(10_000));
      assertThat(value(get(reader, key(3, 1)))).isEqualTo(2);
    }
  }

  /**
   * A number right above the last one that a shard has given would keep others from committing: a
   * transaction that reads the shard, and then what was written with the number, misses it.
   */
  @Test
  void aNumberThatAShardHasNotGivenYetIsRefusedByEachRole() throws TimeoutException {
    try (InProcessNetwork grid = threeNodes()) {
      // Of shard 3 node 0 is the primary, node 1 a backup, and node 2 has no copy.
      GmuTransaction writer = grid.node(0).begin(VectorClock.ZERO, in(10_000));
      VectorClock given = ((Outcome.Committed) writer.commit(write(key(3, 1), 1), "")).clock();
      for (int i = 0; i < 3; i++) {
        GmuNode node = grid.node(i);
        for (long above : List.of(1L, 2L, 1_000L, 60_000L, 1L << 39)) {
          VectorClock forged = given.with(3, given.get(3) + above);
          assertThatThrownBy(() -> node.begin(forged, in(30_000)))
              .isInstanceOf(ForeignClockException.class);
          assertThatThrownBy(() -> node.beginAt(forged, true, in(30_000)))
              .isInstanceOf(ForeignClockException.class);
        }
        GmuTransaction honest = node.begin(given, in(30_000));
        assertThat(value(get(honest, key(3, 1)))).isEqualTo(1);
        honest.end();
      }
      GmuTransaction other = grid.node(2).begin(VectorClock.ZERO, in(10_000));
      assertThat(value(get(other, key(3, 1)))).isEqualTo(1);
      assertThat(value(get(other, key(4, 1)))).isZero();
      assertThat(other.commit(writes(key(3, 1), key(4, 1)), ""))
          .isInstanceOf(Outcome.Committed.class);
    }
  }

  /** A shard that nobody answers for: what its clock names is neither believed nor refused. */
  @Test
  void aNumberThatNoOwnerSpeaksOfIsUnknown() {
    Transport silent = (to, message) -> {};
    try (HostedNode node = firstOf(2, silent, NodeHost.NONE)) {
      VectorClock of = VectorClock.ZERO.with(1, (1L << 40) + 1);
      assertThatThrownBy(() -> node.begin(of, in(250))).isInstanceOf(UnknownClockException.class);
      node.begin(VectorClock.ZERO.with(1, 1), in(250)).end();
      node.setAvailable(false);
      assertThatThrownBy(() -> node.begin(of, in(30_000)))
          .isInstanceOf(UnknownClockException.class);
    }
  }
}
