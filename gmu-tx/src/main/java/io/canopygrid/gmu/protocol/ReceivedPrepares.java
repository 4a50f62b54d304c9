package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.message.Message.TxRecord;

/**
 * Where prepares reach the shards of this node (protocol.md, Prepare): a shard judges each, unless
 * it is delegated and was judged before.
 */
final class ReceivedPrepares {
  private final NodeState node;
  private final Replicas replicas;
  private final DelegatedCommits delegated;

  ReceivedPrepares(NodeState node, Replicas replicas, DelegatedCommits delegated) {
    this.node = node;
    this.replicas = replicas;
    this.delegated = delegated;
  }

  void onPrepare(TxRecord rec) {
    if (!node.isDelegatedHere(rec) || delegated.accept(rec)) {
      replicas.held(rec.shard()).onPrepare(rec);
    }
  }

  /**
   * Refuses a prepare of an older topology, unless it was delegated: the commit is perhaps decided,
   * and the flush tells its coordinator.
   */
  void refuseOutdated(TxRecord rec) {
    if (!node.isDelegatedHere(rec)) {
      node.refuse(rec.tid(), rec.shard(), Refusals.TOPOLOGY_CHANGED);
    }
  }
}
