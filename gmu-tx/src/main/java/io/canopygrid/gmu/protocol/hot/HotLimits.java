package io.canopygrid.gmu.protocol.hot;

/**
 * The limits of hot entries.
 *
 * @param on whether there are any: whether this node counts, pushes and keeps
 * @param readsAtOnce with so many reads in one window a key is hot, at least 1
 * @param windowNanos how long reads are counted before the counters begin anew, at least 1
 * @param stayNanos how long a key stays hot, a keeper is told, and a copy is kept without a push,
 *     at least 1; looked at in each tick
 * @param pushNanos the time between two pushes of a shard in a grid of up to four nodes, at least 1
 */
public record HotLimits(
    boolean on, int readsAtOnce, long windowNanos, long stayNanos, long pushNanos) {
  /** Most keys of one primary that are hot. */
  public static final int KEYS_MAX = 256;

  /** A key with more bytes of values than this, in all of its versions, gets no copies. */
  static final int CHAIN_BYTES_MAX = 1 << 14;

  /** There are no hot entries. */
  public static final HotLimits OFF = new HotLimits(false, 1, 1, 1, 1);

  /** 64 reads in 50 ms, for a second, and pushes each millisecond. */
  public static final HotLimits ON =
      new HotLimits(true, 64, 50_000_000L, 1_000_000_000L, 1_000_000L);

  public HotLimits {
    require(readsAtOnce, "readsAtOnce");
    require(windowNanos, "windowNanos");
    require(stayNanos, "stayNanos");
    require(pushNanos, "pushNanos");
  }

  /** The time between two pushes of a shard: what a keeper gets grows with the members. */
  long pushNanos(int members) {
    return pushNanos * Math.max(4, members) / 4;
  }

  private static void require(long value, String name) {
    if (value < 1) {
      throw new IllegalArgumentException("must be >= 1: " + name + "=" + value);
    }
  }
}
