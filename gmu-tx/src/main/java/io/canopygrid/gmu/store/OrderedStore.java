package io.canopygrid.gmu.store;

import org.jspecify.annotations.Nullable;

/**
 * A map in the unsigned order of its keys' bytes. One thread at a time writes; readers take a
 * {@link #view()} and need no lock. Keys and values handed in become the store's and must not
 * change.
 */
public interface OrderedStore<V> {
  @Nullable V get(byte[] key);

  /** The value that the key had. */
  @Nullable V put(byte[] key, V value);

  /** The value that the key had. */
  @Nullable V remove(byte[] key);

  int size();

  /** The content now, which later writes do not change. Cheap; to be published safely. */
  OrderedView<V> view();

  /** Makes empty stores. */
  interface Factory {
    <V> OrderedStore<V> create();
  }
}
