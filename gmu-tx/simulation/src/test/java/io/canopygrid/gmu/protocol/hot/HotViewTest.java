package io.canopygrid.gmu.protocol.hot;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.HotPush;
import io.canopygrid.gmu.message.Message.KeyVersions;
import io.canopygrid.gmu.protocol.read.LocalRead;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The cases of hot copies that random runs of the transaction layer do not reach. */
final class HotViewTest {
  private static final int SHARD = 2;
  private static final CompositeKey KEY = CompositeKey.of(17, new byte[] {1});
  private static final TxId TID = new TxId(new NodeId(1), 1);
  private static final VectorClock FIVE = VectorClock.ZERO.with(SHARD, 5);

  private final KeptShard kept = new KeptShard(SHARD);

  private @Nullable LocalRead read(VectorClock snapshot, Fences fences) {
    HotView view = Invariant.present(kept.view(), "nothing was pushed");
    return view.read(new ReadQuery.Get(KEY), snapshot, ShardSet.EMPTY, fences);
  }

  private void push(VectorClock horizon, CompositeKey... keys) {
    List<KeyVersions> changed = new ArrayList<>();
    for (CompositeKey key : keys) {
      VersionChain chain = VersionChain.of(TID, TID, 5, VectorClock.ZERO, new byte[] {7});
      changed.add(new KeyVersions(key, chain));
    }
    kept.onPush(new HotPush(1, SHARD, 1, true, 9, horizon, changed, List.of()), 0);
  }

  @Test
  void aSnapshotThatIsNotAboveTheToldHorizonIsLeftToThePrimary() {
    push(FIVE, KEY);

    assertThat(read(VectorClock.ZERO, Fences.NONE)).isNull();
    assertThat(read(FIVE, Fences.NONE)).isNotNull();
  }

  @Test
  void theFirstReadFixesWhatWasTold() {
    push(VectorClock.ZERO, KEY);

    LocalRead first = Invariant.present(read(FIVE, Fences.NONE), "no answer");
    assertThat(first.clock().get(SHARD)).isEqualTo(9);
    assertThat(read(VectorClock.ZERO.with(SHARD, 10), Fences.NONE)).isNull();
  }

  @Test
  void aKeyThatItsHeaderDoesNotCoverIsLeftToThePrimary() {
    push(VectorClock.ZERO, KEY, CompositeKey.header(17));

    assertThat(read(FIVE, covering(false))).isNull();
    assertThat(read(FIVE, covering(true))).isNotNull();
  }

  @Test
  void aKeyWithoutTheHeaderThatItsKclNeedsIsLeftToThePrimary() {
    push(VectorClock.ZERO, KEY);

    assertThat(read(FIVE, covering(true))).isNull();
  }

  private static Fences covering(boolean all) {
    return new Fences() {
      @Override
      public boolean covers(byte[] header, byte[] ku) {
        return all;
      }

      @Override
      public boolean coversRange(byte[] header, byte[] from, byte @Nullable [] to) {
        return all;
      }

      @Override
      public boolean accepts(byte[] header, byte[] ku) {
        return all;
      }

      @Override
      public boolean needsHeader(long kcl) {
        return true;
      }
    };
  }
}
