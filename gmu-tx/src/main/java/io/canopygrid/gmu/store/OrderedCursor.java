package io.canopygrid.gmu.store;

/** A walk over a view; before its first {@link #next()} it stands on nothing. Not thread-safe. */
public interface OrderedCursor<V> {
  /** Steps to the next entry; false at the end. */
  boolean next();

  /** The key it stands on, the store's own bytes: not to be changed. */
  byte[] key();

  V value();
}
