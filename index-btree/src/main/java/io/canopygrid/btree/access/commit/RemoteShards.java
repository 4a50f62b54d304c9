package io.canopygrid.btree.access.commit;

import io.canopygrid.btree.access.read.Router;
import io.canopygrid.gmu.Footprint;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The shards of a commit that other nodes are primaries of. Confined to one thread. */
final class RemoteShards {
  private final Router router;

  /** Null as long as there is none, as always on a lone node. */
  private @Nullable BitSet shards;

  /** Whether a shard of this node takes part. */
  private boolean local;

  private RemoteShards(Router router) {
    this.router = router;
  }

  private void add(long kcl) {
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
   * The number of requests that a commit takes: prepare and decision for each shard. Where there is
   * only one shard, its owner decides itself, after one request.
   */
  static int requests(Router router, Footprint footprint) {
    RemoteShards remote = new RemoteShards(router);
    footprint.reads().forEach(read -> remote.add(read.key().kcl()));
    footprint.ranges().forEach(range -> remote.add(range.kcl()));
    footprint.writes().forEach(write -> remote.add(write.key().kcl()));
    return remote.requests();
  }

  private int requests() {
    int count = shards == null ? 0 : shards.cardinality();
    return count == 1 && !local ? 1 : 2 * count;
  }
}
