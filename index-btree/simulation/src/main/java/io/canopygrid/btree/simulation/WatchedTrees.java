package io.canopygrid.btree.simulation;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.spi.OrderedStore;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import org.jspecify.annotations.Nullable;

/** Trees that tell each chain of versions that a node puts into them. */
abstract class WatchedTrees implements OrderedStore.Factory {
  private final OrderedStore.Factory trees;

  WatchedTrees(OrderedStore.Factory trees) {
    this.trees = trees;
  }

  /** A node has put these versions of a key. */
  abstract void onPut(CompositeKey key, VersionChain chain);

  @Override
  public <V> OrderedStore<V> create() {
    return new Watched<>(trees.create());
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
        onPut(CompositeKey.ofBytes(key), chain);
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
