package io.canopygrid.gmu.spi;

import org.jspecify.annotations.Nullable;

/**
 * A map in the unsigned order of its keys' bytes: the entries of one node's copy of a shard.
 *
 * <p><b>Threads:</b> one thread at a time writes, with a happens-before edge between two writers;
 * {@link #get} and {@link #size} are for that thread as well. Readers take a {@link #view()} and
 * need no lock. <b>Order:</b> a call sees all earlier calls. <b>Durability:</b> none is asked for:
 * a copy that is lost is fetched anew from another owner. <b>Ownership:</b> keys and values handed
 * in become the store's, and must not change any more. <b>Errors:</b> an exception is a bug of the
 * store, and stops the node.
 */
public interface OrderedStore<V> {
  /** The value of a key; null: there is none. */
  @Nullable V get(byte[] key);

  /**
   * Sets the value of a key.
   *
   * @return the value that the key had; null: none
   */
  @Nullable V put(byte[] key, V value);

  /**
   * Removes a key.
   *
   * @return the value that the key had; null: none
   */
  @Nullable V remove(byte[] key);

  /** The number of keys. */
  int size();

  /**
   * The present content, which later writes do not change. It is cheap enough to be taken after
   * each write; the caller publishes it safely.
   */
  OrderedView<V> view();

  /** Makes empty stores. Called within a protocol step, for each copy of a shard. */
  interface Factory {
    /** An empty store, for the caller alone. */
    <V> OrderedStore<V> create();
  }
}
