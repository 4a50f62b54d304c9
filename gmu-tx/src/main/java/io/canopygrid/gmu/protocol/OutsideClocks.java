package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.protocol.read.ShardView;

/**
 * Tells whether a clock that a caller brings can be one of this grid (protocol.md, Clocks from
 * outside). Thread-safe.
 */
final class OutsideClocks {
  /**
   * The most by which a number may be above all that this node knows to be given: honest callers
   * come from other nodes sooner than floors do.
   */
  static final long SLACK = 1 << 16;

  private final NodeState node;
  private final Replicas replicas;

  OutsideClocks(NodeState node, Replicas replicas) {
    this.node = node;
    this.replicas = replicas;
  }

  /**
   * Whether all numbers of a clock can have been given.
   *
   * @param topology the one installed here
   * @param top the last shard
   */
  boolean canBeOurs(VectorClock clock, long topology, int top) {
    VectorClock floor = node.horizon().floor();
    if (clock.precedesOrEquals(floor)) {
      return true;
    }
    for (int i = 0; i < clock.size(); i++) {
      int shard = clock.shardAt(i);
      if (shard > top || !canBeGiven(shard, clock.numberAt(i), floor, topology)) {
        return false;
      }
    }
    return true;
  }

  private boolean canBeGiven(int shard, long number, VectorClock floor, long topology) {
    long epoch = node.config().epochOf(number);
    if (epoch != topology) {
      return epoch < topology;
    }
    long start = node.config().epochStart(topology);
    return number - start <= SLACK || number - known(shard, floor) <= SLACK;
  }

  /** A number of a shard that this node knows to be given. */
  private long known(int shard, VectorClock floor) {
    ShardView view = replicas.view(shard);
    return Math.max(floor.get(shard), view == null ? 0 : view.log().applied());
  }
}
