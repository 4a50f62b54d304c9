package io.canopygrid.gmu.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.simulation.VersionLedger.Place;
import io.canopygrid.gmu.spi.OrderedStore;
import io.canopygrid.gmu.store.VersionChain;
import java.util.Map;
import java.util.Set;
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
    VersionLedger sender = new VersionLedger(TreeMapStore.FACTORY, key -> 0, new MadeCuts());
    drop(sender, 1);
    VersionLedger receiver = new VersionLedger(TreeMapStore.FACTORY, key -> 0, new MadeCuts());
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
    VersionLedger ledger = new VersionLedger(TreeMapStore.FACTORY, key -> 0, new MadeCuts());
    OrderedStore<VersionChain> dropped = ledger.create();
    ledger.forget(shard -> shard == 0, 1);

    dropped.put(KEY.bytes(), tombstone(1));
    dropped.remove(KEY.bytes());
    assertThat(ledger.get(KEY)).isNull();

    drop(ledger, 2);
    assertThat(ledger.ghost(KEY)).isEqualTo(tombstone(2).tid());
  }

  /**
   * Found with seeds 501865 and 700371: a commit that a node which came back applied together with
   * a topology was taken for one of its disk, and forgotten with the state that it was sent.
   */
  @Test
  void aNodeThatCameBackForgetsOnlyWhatACutTook() {
    MadeCuts cuts = new MadeCuts();
    VersionLedger ledger = new VersionLedger(TreeMapStore.FACTORY, key -> 0, cuts);
    OrderedStore<VersionChain> store = ledger.create();
    Map<CompositeKey, Set<Place>> before = ledger.known();
    store.put(KEY.bytes(), chain(1, 2, 10));
    ledger.cameBack(before);
    cuts.begin(new Cut(3, VectorClock.ZERO.with(0, 1)), 10, 0);
    cuts.ended(3);

    store.put(KEY.bytes(), chain(1, 10));
    ledger.completed(0);

    assertThat(ledger.known()).isEqualTo(Map.of(KEY, Set.of(place(1), place(10))));
  }

  @Test
  void aNodeThatCameBackAndKeepsWhatACutTookHasIt() {
    MadeCuts cuts = new MadeCuts();
    VersionLedger ledger = new VersionLedger(TreeMapStore.FACTORY, key -> 0, cuts);
    OrderedStore<VersionChain> store = ledger.create();
    Map<CompositeKey, Set<Place>> before = ledger.known();
    store.put(KEY.bytes(), chain(1, 2));
    ledger.cameBack(before);
    cuts.begin(new Cut(3, VectorClock.ZERO.with(0, 1)), 10, 0);
    cuts.ended(3);

    ledger.completed(0);
    store.put(KEY.bytes(), chain(10));

    assertThat(ledger.known()).isEqualTo(Map.of(KEY, Set.of(place(1), place(2), place(10))));
  }

  private static Place place(long number) {
    return new Place(number, tombstone(number).tid());
  }

  /** Versions with these numbers, the oldest first. */
  private static VersionChain chain(long... numbers) {
    VersionChain chain = tombstone(numbers[0]);
    for (int i = 1; i < numbers.length; i++) {
      chain = VersionChain.install(chain, tombstone(numbers[i]));
    }
    return chain;
  }
}
