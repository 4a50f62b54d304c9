package io.canopygrid.btree.simulation;

import io.canopygrid.Codec;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.btree.tree.BPlusTree;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.spi.OrderedStore;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The shipped trees, watched: with which clock the values of each attempt were committed, whoever
 * was told of it.
 */
final class CommitRecorder implements OrderedStore.Factory {
  private final OrderedStore.Factory trees;
  private final Map<Long, Map<TxId, VectorClock>> clocks = new HashMap<>();
  private final KclCheck births = new KclCheck();
  private Set<TxId> lasting = Set.of();

  CommitRecorder(int arity) {
    trees = BPlusTree.factory(arity);
  }

  /** Says what has lasted to the end of the run: nothing else has happened. */
  void lasts(Set<TxId> transactions) {
    lasting = transactions;
  }

  /** Kcls that were used more than once. */
  List<String> reusedKcls() {
    return births.problems();
  }

  /** The commit clock of an attempt that has put a value; null: it did not commit. */
  @Nullable VectorClock clockOf(Attempt attempt) {
    for (Map.Entry<TxId, VectorClock> e :
        clocks.getOrDefault(attempt.number, Map.of()).entrySet()) {
      if (lasting.contains(e.getKey())) {
        return e.getValue();
      }
    }
    return null;
  }

  @Override
  public <V> OrderedStore<V> create() {
    return new Watched<>(trees.create());
  }

  private void onPut(byte[] key, VersionChain chain) {
    CompositeKey at = CompositeKey.ofBytes(key);
    if (at.isHeader() && SubtreeHeader.isSubtree(at.kcl())) {
      births.saw(at.kcl(), chain);
    }
    if (at.isHeader() || !SubtreeHeader.isSubtree(at.kcl())) {
      return;
    }
    for (VersionChain v = chain; v != null; v = v.older()) {
      // A value that is on the disk only was seen when it was put here.
      byte[] value = v.isCold() ? null : v.value();
      // A moved copy has the clock of the move, one below the horizon perhaps none.
      if (value != null && isNumber(value) && v.tid().equals(v.writer()) && v.clock().size() > 0) {
        clocks
            .computeIfAbsent(Codec.int64().decode(value), n -> new TreeMap<>())
            .putIfAbsent(v.tid(), v.clock());
      }
    }
  }

  /** Values of another size are those of a {@link TreeWork}. */
  private static boolean isNumber(byte[] value) {
    return value.length == Long.BYTES;
  }

  private final class Watched<V> implements OrderedStore<V> {
    private final OrderedStore<V> store;

    private Watched(OrderedStore<V> store) {
      this.store = store;
    }

    @Override
    public @Nullable V get(byte[] key) {
      return store.get(key);
    }

    @Override
    public @Nullable V put(byte[] key, V value) {
      if (value instanceof VersionChain chain) {
        onPut(key, chain);
      }
      return store.put(key, value);
    }

    @Override
    public @Nullable V remove(byte[] key) {
      return store.remove(key);
    }

    @Override
    public int size() {
      return store.size();
    }

    @Override
    public OrderedView<V> view() {
      return store.view();
    }
  }
}
