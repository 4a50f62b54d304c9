package io.canopygrid.ycsb.bench;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import java.util.Locale;

/** The node that has the primary of the counters, as the clients see it. */
enum Primary {
  /** The clients' own node: clients wait for its backup only. */
  HERE,
  /** Another node: each read and each commit is a request. */
  ELSEWHERE;

  /**
   * The number of indexes tried. With primaries at random, all of them miss a node with a
   * probability of 1 in 10^11.
   */
  private static final int INDEXES_MAX = 64;

  /**
   * Makes an index whose primary is at this node; the indexes tried before stay.
   *
   * @param key a key of the index
   */
  Index<Long, Long> index(Canopy db, long key) throws BenchFailure {
    for (int i = 0; i < INDEXES_MAX; i++) {
      Index<Long, Long> index = db.index(this + "-" + i, Codec.int64(), Codec.int64());
      db.run(tx -> tx.on(index).put(key, 0L));
      long before = db.stats().total().remoteRequests();
      db.run(tx -> tx.on(index).put(key, 0L));
      boolean isHere = db.stats().total().remoteRequests() == before;
      if (isHere == (this == HERE)) {
        return index;
      }
    }
    throw new BenchFailure("no index of " + INDEXES_MAX + " has its primary " + this);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
