package io.canopygrid.gmu.spi;

/**
 * A walk over a view; before its first {@link #next()} it stands on no entry. Confined to one
 * thread.
 */
public interface OrderedCursor<V> {
  /** Steps to the next entry; false at the end. */
  boolean next();

  /** The key of the entry that it stands on: the store's own bytes, not to be changed. */
  byte[] key();

  /** The value of that entry. */
  V value();
}
