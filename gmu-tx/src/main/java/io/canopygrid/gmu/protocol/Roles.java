package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.ShardMap;

/** The roles of one node, each made with those that it needs. */
final class Roles {
  final Replicas replicas;
  final LocalTransactions transactions;
  final Coordinator coordinator;
  final DelegatedCommits delegated;
  final ReceivedPrepares prepares;
  final Garbage garbage;
  final OutsideClocks clocks;
  final ReadsAtHand readsAtHand;
  final Eviction eviction;

  Roles(NodeState node, ShardMap shards) {
    this.replicas = new Replicas(node, shards.top() + 1);
    this.transactions = new LocalTransactions(node, shards);
    Dissemination dissemination = new Dissemination(node, replicas);
    this.coordinator = new Coordinator(node, shards, replicas, transactions, dissemination);
    this.delegated = new DelegatedCommits(node, replicas, dissemination);
    this.prepares = new ReceivedPrepares(node, replicas, delegated);
    this.garbage = new Garbage(node, replicas, coordinator);
    this.clocks = new OutsideClocks(node, replicas);
    this.readsAtHand = new ReadsAtHand(node, shards, replicas);
    this.eviction = new Eviction(node, replicas, shards.top() + 1);
  }
}
