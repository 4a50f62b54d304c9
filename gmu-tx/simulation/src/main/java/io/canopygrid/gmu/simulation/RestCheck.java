package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.protocol.ProtocolStatus;
import io.canopygrid.gmu.simulation.VersionLedger.Entry;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Decides whether a grid at rest has nothing left over, and owners whose copies agree. */
final class RestCheck {
  private final SimulatedWorld world;
  private final Membership membership;
  private final List<String> problems;

  RestCheck(SimulatedWorld world, Membership membership, List<String> problems) {
    this.world = world;
    this.membership = membership;
    this.problems = problems;
  }

  /** Whether each shard has an owner. */
  boolean check() {
    checkAtRest();
    return checkCopies();
  }

  private void checkAtRest() {
    Topology topology = world.topology();
    if (!membership.isSettled()) {
      problems.add("liveness: a hand-over that never ends: " + topology);
    }
    for (NodeId member : topology.members()) {
      SimulatedNode node = world.node(member);
      ProtocolStatus status = node.protocol.status();
      if (node.dead || status.topology() != topology.id()) {
        problems.add("liveness: node " + member + " is not in the last topology");
        continue;
      }
      boolean idle = status.shards().stream().allMatch(ProtocolStatus.Shard::isIdle);
      int left = status.transactions() + status.attempts() + status.decisions() + status.deferred();
      if (!idle || left > 0) {
        problems.add("liveness: left over at " + member + ": " + status);
      }
      if (status.shards().stream().anyMatch(ProtocolStatus.Shard::closed)) {
        problems.add("liveness: node " + member + " does not open its copies: " + status);
      }
      if (status.shards().stream().anyMatch(s -> s.primary() && !s.serving())) {
        problems.add("liveness: node " + member + " does not serve: " + status);
      }
    }
  }

  private boolean checkCopies() {
    Topology topology = world.topology();
    boolean complete = true;
    for (int s = 0; s < topology.shards().size(); s++) {
      List<NodeId> owners = topology.shard(s).owners();
      if (owners.isEmpty()) {
        if (!world.options.has(SimulatedFault.SHARD_LOSS)) {
          problems.add("shard " + s + " has lost all its copies");
          complete = false;
        }
        continue;
      }
      for (NodeId owner : owners.subList(1, owners.size())) {
        compare(s, world.node(owners.get(0)), world.node(owner));
      }
    }
    return complete;
  }

  private void compare(int shard, SimulatedNode one, SimulatedNode other) {
    VersionLedger a = one.ledger;
    VersionLedger b = other.ledger;
    Set<CompositeKey> keys = new HashSet<>(a.entries().keySet());
    keys.addAll(b.entries().keySet());
    for (CompositeKey key : keys) {
      if (world.shardOf(key) != shard) {
        continue;
      }
      Entry x = a.entries().getOrDefault(key, new Entry());
      Entry y = b.entries().getOrDefault(key, new Entry());
      if (!x.history.equals(y.history)) {
        problems.add(
            String.format(
                Locale.ROOT,
                "owners of shard %s disagree on the versions of %s: %s and %s",
                shard,
                key,
                x.history,
                y.history));
      }
      if (!Arrays.equals(one.value(shard, key, x), other.value(shard, key, y))) {
        problems.add(
            String.format(
                Locale.ROOT,
                "owners of shard %s disagree on the value of %s: %s with %s and %s with %s",
                shard,
                key,
                x.newest,
                x.history,
                y.newest,
                y.history));
      }
    }
  }
}
