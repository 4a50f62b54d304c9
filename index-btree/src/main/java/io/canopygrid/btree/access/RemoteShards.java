package io.canopygrid.btree.access;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The shards of some kcls that other nodes are primaries of. Confined to one thread. */
final class RemoteShards {
  private final Router router;

  /** Null as long as there is none, as always on a lone node. */
  private @Nullable BitSet shards;

  RemoteShards(Router router) {
    this.router = router;
  }

  void add(long kcl) {
    if (router.isRemote(kcl)) {
      if (shards == null) {
        shards = new BitSet();
      }
      shards.set(router.shardOf(kcl));
    }
  }

  int count() {
    return shards == null ? 0 : shards.cardinality();
  }
}
