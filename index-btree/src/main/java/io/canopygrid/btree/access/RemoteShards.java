package io.canopygrid.btree.access;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The shards of some kcls that other nodes are primaries of. Confined to one thread. */
final class RemoteShards {
  private final Router router;

  /** Null as long as there is none, as always on a lone node. */
  private @Nullable BitSet shards;

  /** Whether a shard of this node takes part. */
  private boolean local;

  RemoteShards(Router router) {
    this.router = router;
  }

  void add(long kcl) {
    if (!router.isRemote(kcl)) {
      local = true;
      return;
    }
    if (shards == null) {
      shards = new BitSet();
    }
    shards.set(router.shardOf(kcl));
  }

  /**
   * What it costs to commit: prepare and decision for each; but the owner of the only shard there
   * is decides itself.
   */
  int requests() {
    int count = shards == null ? 0 : shards.cardinality();
    return count == 1 && !local ? 1 : 2 * count;
  }
}
