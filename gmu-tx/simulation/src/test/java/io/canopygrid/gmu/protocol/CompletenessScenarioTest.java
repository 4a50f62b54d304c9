package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.message.Message.Ack;
import io.canopygrid.gmu.protocol.read.LocalRead;
import io.canopygrid.gmu.spi.Fences;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The reads that a backup of shard 1, node 2, may answer itself without waiting for a tick
 * (protocol.md, Reads at backups). The shard's primary is node 1.
 */
final class CompletenessScenarioTest {
  private Grid grid = new Grid(3, 2, Fences.NONE);

  /** The answer of node 2 at a clock; null: it would ask the primary. */
  private @Nullable String atBackup(CompositeKey key, VectorClock clock) {
    LocalRead read =
        grid.nodes.get(2).tryReadNearest(new ReadQuery.Get(key), clock, ShardSet.EMPTY);
    return read == null ? null : Grid.text(((ReadAnswer.Got) read.answer()).value());
  }

  private Grid.Tx begun(int node, String ku) {
    Grid.Tx tx = grid.begin(node);
    tx.write(grid.key(1, ku), "1");
    tx.commit();
    return tx;
  }

  private static boolean isOf(int node, Ack ack) {
    return ack.tid().coordinator().equals(Grid.id(node));
  }

  private static VectorClock clock(Grid.Tx tx) {
    return ((Outcome.Committed) tx.outcome()).clock();
  }

  @Test
  void whatItHasWrittenItselfComesWithTheAnswer() {
    Grid.Tx tx = begun(2, "a");
    grid.settle();
    assertThat(atBackup(grid.key(1, "a"), clock(tx))).isEqualTo("1");
  }

  @Test
  void whatAnotherNodeHasWrittenComesWithTheNextDecision() {
    Grid.Tx first = begun(0, "a");
    grid.settle();
    assertThat(atBackup(grid.key(1, "a"), clock(first))).isNull();
    begun(1, "b");
    grid.settle();
    assertThat(atBackup(grid.key(1, "a"), clock(first))).isEqualTo("1");
  }

  /** Of a kcl that it has nothing of, a backup does not know where its keys were before. */
  @Test
  void whatHasNoHeaderIsForThePrimaryToSay() {
    long bare = 18;
    while (grid.map.shardOf(bare) != 1) {
      bare += 2;
    }
    long needing = bare;
    Fences fences =
        new Fences() {
          @Override
          public boolean covers(byte[] header, byte[] ku) {
            return true;
          }

          @Override
          public boolean coversRange(byte[] header, byte[] from, byte @Nullable [] to) {
            return true;
          }

          @Override
          public boolean accepts(byte[] header, byte[] ku) {
            return true;
          }

          @Override
          public boolean needsHeader(long kcl) {
            return kcl == needing;
          }
        };
    grid = new Grid(3, 2, fences);
    CompositeKey key = CompositeKey.of(needing, Grid.bytes("a"));
    begun(1, "a");
    grid.settle();
    begun(1, "b");
    grid.settle();
    assertThat(atBackup(grid.key(1, "a"), VectorClock.ZERO)).as("it answers at all").isEqualTo("1");
    assertThat(atBackup(key, VectorClock.ZERO)).isNull();
    ReadAnswer.Redirected said = (ReadAnswer.Redirected) grid.begin(1).read(new ReadQuery.Get(key));
    assertThat(said.unborn()).isTrue();
    Grid.Tx birth = grid.begin(1);
    birth.write(CompositeKey.header(needing), "all");
    birth.write(key, "2");
    birth.commit();
    grid.settle();
    begun(1, "c");
    grid.settle();
    assertThat(atBackup(key, clock(birth))).isEqualTo("2");
  }

  @Test
  void whatSomeOwnerMayLackHoldsBackWhatComesAfterIt() {
    Grid all = new Grid(3, 3, Fences.NONE);
    grid = all;
    Grid.Tx first = begun(1, "a");
    all.hold(m -> m.message() instanceof Ack && m.from() == 0);
    all.settle();
    assertThat(first.ended()).as("node 0 has not said that it has it").isNull();
    all.hold(m -> m.message() instanceof Ack ack && m.from() == 0 && isOf(1, ack));
    Grid.Tx second = begun(2, "b");
    all.settle();
    VectorClock seen = clock(second);
    assertThat(all.begin(1, seen).get(all.key(1, "a"))).as("at the primary").isEqualTo("1");
    assertThat(atBackup(all.key(1, "a"), seen)).isNull();
    all.letGo();
    Grid.Tx third = begun(2, "c");
    all.settle();
    assertThat(atBackup(all.key(1, "a"), clock(third))).isEqualTo("1");
  }
}
