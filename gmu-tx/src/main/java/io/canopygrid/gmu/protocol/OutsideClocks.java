package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.message.Message.NumbersAsked;
import io.canopygrid.gmu.message.Message.NumbersTold;
import io.canopygrid.gmu.protocol.read.ShardView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds out whether the shards have given the numbers that a clock from outside names (protocol.md,
 * Clocks from outside). Confined to the protocol lock, but for {@link #canBeOurs} and {@link
 * #unknown}.
 */
final class OutsideClocks {
  private final NodeState node;
  private final Replicas replicas;

  OutsideClocks(NodeState node, Replicas replicas) {
    this.node = node;
    this.replicas = replicas;
  }

  // ---- on any thread

  /**
   * Whether a clock names shards that exist, with epochs that have begun.
   *
   * @param topology the one installed here
   * @param top the last shard
   */
  boolean canBeOurs(VectorClock clock, long topology, int top) {
    for (int i = 0; i < clock.size(); i++) {
      if (clock.shardAt(i) > top || node.config().epochOf(clock.numberAt(i)) > topology) {
        return false;
      }
    }
    return true;
  }

  /**
   * The part of a clock of which this node does not know whether it was given. The epochs of former
   * topologies are over: all their numbers count as given.
   *
   * @param topology the one installed here
   * @param given numbers known to be given
   */
  VectorClock unknown(VectorClock clock, long topology, VectorClock given) {
    if (clock.precedesOrEquals(given)) {
      return VectorClock.ZERO;
    }
    VectorClock beyond = clock.beyond(given.join(node.horizon().floor()));
    VectorClock unknown = VectorClock.ZERO;
    for (int i = 0; i < beyond.size(); i++) {
      int shard = beyond.shardAt(i);
      long number = beyond.numberAt(i);
      ShardView view = replicas.view(shard);
      boolean applied = view != null && view.log().applied() >= number;
      if (node.config().epochOf(number) == topology && !applied) {
        unknown = unknown.with(shard, number);
      }
    }
    return unknown;
  }

  // ---- under the protocol lock

  /**
   * Asks for the numbers that a clock names: this node's own copies first, then for the others the
   * primaries, or all owners.
   *
   * @param request the number of the question
   */
  void ask(long request, VectorClock clock, boolean allOwners) {
    Map<NodeId, VectorClock> questions = new LinkedHashMap<>();
    for (int i = 0; i < clock.size(); i++) {
      int shard = clock.shardAt(i);
      long number = clock.numberAt(i);
      for (NodeId owner : asked(shard, number, allOwners)) {
        questions.merge(owner, VectorClock.ZERO.with(shard, number), VectorClock::join);
      }
    }
    questions.forEach((owner, part) ->
        node.outbox().send(owner, new NumbersAsked(node.placements().id(), request, part)));
  }

  /** The nodes to ask for a number; only this one where it knows, or no other one can know. */
  private List<NodeId> asked(int shard, long number, boolean allOwners) {
    List<NodeId> owners = node.placements().owners(shard);
    if (known(shard) >= number || isKnownWhole(shard)) {
      return List.of(node.self());
    }
    return allOwners ? owners : owners.subList(0, 1);
  }

  /** Whether this node knows all numbers that a shard has given in this topology. */
  private boolean isKnownWhole(int shard) {
    return replicas.isServing(shard) || node.placements().primary(shard) == null;
  }

  /** Says what this node knows; of a shard that it serves, or that has no owner, it knows all. */
  void onAsked(NodeId source, NumbersAsked asked) {
    VectorClock given = VectorClock.ZERO;
    ShardSet last = ShardSet.EMPTY;
    for (int i = 0; i < asked.clock().size(); i++) {
      int shard = asked.clock().shardAt(i);
      long known = known(shard);
      given = known < 1 ? given : given.with(shard, known);
      last = isKnownWhole(shard) ? last.with(shard) : last;
      node.openings().want(shard);
    }
    node.outbox().send(source, new NumbersTold(asked.request(), given, last));
  }

  /** Gives the answer of an owner to the caller. */
  void onTold(NumbersTold told) {
    node.outbox().emit(new Effect.Numbers(told.request(), told.given(), told.last()));
  }

  /** The highest number of a shard that this node knows to be given. */
  private long known(int shard) {
    Participant replica = replicas.get(shard);
    return replica == null ? 0 : replica.given();
  }
}
