package io.canopygrid.gmu.protocol.read;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.store.VersionChain;
import org.jspecify.annotations.Nullable;

/**
 * The versions that one read shows in its snapshot (protocol.md, Read, steps 2 and 3). Confined to
 * one thread.
 */
final class Shown {
  private final VectorClock snapshot;
  private final ShardSet test;
  private final ColdValues values;

  /** The join of the clocks of the versions shown so far. */
  private VectorClock clocks = VectorClock.ZERO;

  /**
   * Nothing is shown yet.
   *
   * @param snapshot the clock that says what is visible
   * @param test the shards on which a version is tested
   * @param values those of cold versions
   */
  Shown(VectorClock snapshot, ShardSet test, ColdValues values) {
    this.snapshot = snapshot;
    this.test = test;
    this.values = values;
  }

  /** Shows the newest version of a key that the snapshot admits; null: it admits none. */
  @Nullable VersionChain newestOf(VersionChain chain) {
    VersionChain visible = chain.visibleTo(snapshot, test);
    if (visible != null) {
      clocks = clocks.join(visible.clock());
    }
    return visible;
  }

  /** The value of a version that is shown; null where it is a tombstone, or missing. */
  byte @Nullable [] value(int shard, byte[] key, VersionChain visible) {
    return values.of(shard, key, visible);
  }

  /** The join of the clocks of all versions shown. */
  VectorClock clocks() {
    return clocks;
  }
}
