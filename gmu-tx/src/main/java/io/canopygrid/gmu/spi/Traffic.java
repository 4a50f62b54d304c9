package io.canopygrid.gmu.spi;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.ReadQuery;

/**
 * Hears what is read and written at the shards of which a node is the primary.
 *
 * <p><b>Threads:</b> any thread may call, in the middle of an operation: a listener must be quick,
 * take no lock, and not block. <b>Order:</b> each operation is reported once, in any order.
 * <b>Errors:</b> an exception is a bug of the listener, and fails the operation.
 */
public interface Traffic {
  /** Ignores everything. */
  Traffic NONE =
      new Traffic() {
        @Override
        public void read(CompositeKey key) {}

        @Override
        public void scanned(ReadQuery.Scan query, int entries) {}

        @Override
        public void counted(ReadQuery.Count query, long entries) {}

        @Override
        public void wrote(CompositeKey key) {}

        @Override
        public void conflicted(CompositeKey key) {}
      };

  /** A key was read, whether it was there or not. Headers are not reported. */
  void read(CompositeKey key);

  /** A scan has read a page of so many entries. */
  void scanned(ReadQuery.Scan query, int entries);

  /** A count of a range has found so many entries. */
  void counted(ReadQuery.Count query, long entries);

  /** A transaction has written or removed a key. Entries that are only moved are not reported. */
  void wrote(CompositeKey key);

  /** A commit was refused, as another transaction was first at a key. */
  void conflicted(CompositeKey key);
}
