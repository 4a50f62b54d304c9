package io.canopygrid;

import org.jspecify.annotations.Nullable;

/**
 * The transaction of a {@link TransactionFunction}, at the node where it runs. The transaction ends
 * with the function: {@link #commit}, {@link #rollback} and {@link #close} are refused.
 */
public interface FunctionTransaction extends Transaction {
  /**
   * Opens an index, as {@link Canopy#index} of the node does; outside of this transaction.
   *
   * @throws CanopyException as {@link Canopy#index}
   */
  <K, V> Index<K, V> index(String name, Codec<K> keys, Codec<V> values);

  /** The entry that the call names as its place; null where it names none. */
  @Nullable Place place();

  /** One entry by bytes, in this transaction. */
  interface Place {
    /** The name of its index. */
    String index();

    /** The id of the codec of the index's values. */
    String valueCodec();

    /** The bytes of its key. */
    byte[] key();

    /** The bytes of its value, null where there is none. */
    byte @Nullable [] get();

    /** Sets its value at commit. */
    void put(byte[] value);

    /** Takes it away at commit. */
    void remove();
  }
}
