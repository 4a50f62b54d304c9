package io.canopygrid.gmu.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.spi.OrderedStore;
import io.canopygrid.gmu.store.VersionChain;
import org.junit.jupiter.api.Test;

final class VersionLedgerTest {
  private static final CompositeKey KEY = CompositeKey.of(17, new byte[] {1});

  private static VersionChain tombstone(long number) {
    TxId tid = new TxId(new NodeId(1), number);
    VectorClock clock = VectorClock.ZERO.with(0, number);
    return VersionChain.of(tid, tid, number, clock, null);
  }

  private static void drop(VersionLedger ledger, long number) {
    OrderedStore<VersionChain> store = ledger.create();
    store.put(KEY.bytes(), tombstone(number));
    store.remove(KEY.bytes());
  }

  /** Found with seed 504405: a reader of "absent" was said to have missed the newer deletion. */
  @Test
  void theStateOfAnotherNodeDoesNotBringBackAnOlderGhost() {
    VersionLedger sender = new VersionLedger(TreeMapStore.FACTORY, key -> 0);
    drop(sender, 1);
    VersionLedger receiver = new VersionLedger(TreeMapStore.FACTORY, key -> 0);
    drop(receiver, 2);

    receiver.merge(sender.copyOf(KEY::equals, false));

    assertThat(receiver.ghost(KEY)).isEqualTo(tombstone(2).tid());
    sender.merge(receiver.copyOf(KEY::equals, false));
    assertThat(sender.ghost(KEY)).isEqualTo(tombstone(2).tid());
  }

  /**
   * Found with seed 42000761 of the layer index: a node that lost a shard applied a commit at the
   * end of its term, and was said to have that version when it got another copy later.
   */
  @Test
  void aCopyThatWasDroppedIsNotSeenAnyMore() {
    VersionLedger ledger = new VersionLedger(TreeMapStore.FACTORY, key -> 0);
    OrderedStore<VersionChain> dropped = ledger.create();
    ledger.forget(shard -> shard == 0, 1);

    dropped.put(KEY.bytes(), tombstone(1));
    dropped.remove(KEY.bytes());
    assertThat(ledger.get(KEY)).isNull();

    drop(ledger, 2);
    assertThat(ledger.ghost(KEY)).isEqualTo(tombstone(2).tid());
  }
}
