package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Waits until a node has every shard that it joins in one topology. Thread-safe. */
final class ShardSync {
  private final long topology;
  private final Set<NodeId> members;
  private final Set<Integer> missing = new HashSet<>();
  private final CompletableFuture<Void> done = new CompletableFuture<>();

  ShardSync(Topology topology, NodeId self) {
    this.topology = topology.id();
    members = Set.copyOf(topology.members());
    for (int shard = 0; shard < topology.shards().size(); shard++) {
      if (topology.shard(shard).learners().contains(self)) {
        missing.add(shard);
      }
    }
    if (missing.isEmpty()) {
      done.complete(null);
    }
  }

  /** Completes when nothing is missing any more; exceptionally where that cannot happen. */
  CompletionStage<Void> done() {
    return done;
  }

  boolean isDone() {
    return done.isDone();
  }

  void synced(long inTopology, int shard) {
    boolean last;
    synchronized (missing) {
      last = inTopology == topology && missing.remove(shard) && missing.isEmpty();
    }
    if (last) {
      done.complete(null);
    }
  }

  /**
   * A member has installed this topology. If its id is above that of the topology waited in, the
   * latter is over, and this node's messages about it do not count any more. A member may even have
   * skipped the latter, and then its flush never comes.
   */
  void superseded(long newer) {
    if (newer > topology) {
      done.complete(null);
    }
  }

  /**
   * The channel does not hear these nodes any more. If one of them is a member, its flush may never
   * come.
   */
  void lost(Set<NodeId> nodes, RuntimeException why) {
    if (!Collections.disjoint(members, nodes)) {
      fail(why);
    }
  }

  void fail(RuntimeException why) {
    done.completeExceptionally(why);
  }

  @Override
  public String toString() {
    synchronized (missing) {
      return missing.size() + " shards missing in topology " + topology;
    }
  }
}
