package io.canopygrid.ycsb.bench;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import java.util.Locale;

/** Which node has the primary of the counters, seen from the clients. */
enum Primary {
  /** The clients' own: they wait for its backup alone. */
  HERE,
  /** Another: each read, and each commit, is a request. */
  ELSEWHERE;

  /** As many indexes on a grid of nodes that are equally likely all miss one with 1 in 10^11. */
  private static final int INDEXES_MAX = 64;

  /**
   * Makes an index that is so, and leaves those that it has made before.
   *
   * @param key in it
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
