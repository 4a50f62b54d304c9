package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.ShardMap;
import java.util.ArrayList;
import java.util.List;

/** The roles of one node, each made with those that it needs. */
final class Roles {
  final Replicas replicas;
  final LocalTransactions transactions;
  final Coordinator coordinator;
  final DelegatedCommits delegated;
  final ReceivedPrepares prepares;
  final Garbage garbage;
  final OutsideClocks clocks;
  final HotEntries hot;
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
    this.hot = new HotEntries(node, shards, replicas);
    this.readsAtHand = new ReadsAtHand(node, shards, replicas, hot);
    this.eviction = new Eviction(node, replicas, shards.top() + 1);
  }

  /** The things that are under way. */
  ProtocolStatus status(NodeState node) {
    List<ProtocolStatus.Shard> copies = new ArrayList<>();
    replicas.forEach(replica -> copies.add(replica.status()));
    return new ProtocolStatus(
        node.placements().id(),
        node.flush().isDone(),
        transactions.size(),
        coordinator.attempts(),
        node.decisions().size(),
        node.outbox().deferred(),
        copies);
  }

  /** Garbage; and what has no answer for long is said again (Lost messages). */
  void tick() {
    transactions.tick();
    garbage.tick();
    transactions.askOverdue();
    delegated.tick();
    coordinator.askAgain();
    replicas.forEach(Participant::tick);
    hot.tick();
    eviction.tick();
  }

  void onTimer(Effect.Timer timer) {
    if (timer instanceof Effect.HotTimer) {
      hot.onTimer(timer.shard());
    } else {
      replicas.onTimer(timer);
    }
  }

  /** Drops what is here of shards, but TOP's copy. */
  void forgetShards() {
    hot.clear();
    replicas.forgetShards();
  }
}
