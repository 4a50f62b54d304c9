package io.canopygrid.gmu.spi;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.ReadQuery;

/**
 * Hears what is read and written at the shards that a node serves as their primary. Called once for
 * each on the way of every operation, by any thread: it must be quick, take no lock, and not block.
 */
public interface Traffic {
  /** Hears nothing. */
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
      };

  /** A key was read, whether it was there or not. Headers are not reported. */
  void read(CompositeKey key);

  /** A page was read that has so many entries. */
  void scanned(ReadQuery.Scan query, int entries);

  /** So many entries of a range were counted. */
  void counted(ReadQuery.Count query, long entries);

  /** A key was written or removed by a transaction of its own; what was only moved is not. */
  void wrote(CompositeKey key);
}
