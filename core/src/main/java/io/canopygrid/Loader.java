package io.canopygrid;

/**
 * Puts entries in ascending order of their keys into a part of an index where there are none yet,
 * faster than transactions of puts do: the owners get them in large parts, and whole new subtrees
 * are made of them, which are spread over all nodes from the start.
 *
 * <p>Each part is one transaction. A part is refused ({@link ErrorCode#KEY_EXISTS}) where the index
 * has a key between the first and the last one of the part, also a key that another writer has put
 * meanwhile; so no write of others is lost. Parts commit one after the other: in every snapshot
 * what was loaded is there up to some key, without gaps. Entries are safe when {@link #committed}
 * counts them, or {@link #flush} has returned; a load that stops goes on behind the greatest key
 * that is there.
 *
 * <p>Used by one thread at a time. All methods throw {@link CanopyException}; after one that is not
 * {@link ErrorCode#INVALID_ARGUMENT} a loader is of no more use than to tell what is committed.
 *
 * @param <K> keys
 * @param <V> values
 */
public interface Loader<K, V> extends AutoCloseable {
  /**
   * Takes an entry; now and then sends those before it, and waits where the part before is under
   * way.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} where the key is not above the one
   *     before: use {@link MutableView#put}; and the errors of parts that were sent before, {@link
   *     ErrorCode#KEY_EXISTS} among them
   */
  void add(K key, V value);

  /** Returns when all entries taken are committed. */
  void flush();

  /** The number of entries that are known to be committed: the first ones that were taken. */
  long committed();

  /** Frees what the loader holds. Entries that were not flushed may be committed or not. */
  @Override
  void close();
}
