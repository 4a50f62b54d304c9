package io.canopygrid.gmu.simulation;

import io.canopygrid.clock.VectorClock;

/**
 * The clocks that one client brings where clients bring such as no transaction of the grid had:
 * forged ones, and those of a former life of the grid. A clock that a node takes must harm nobody.
 */
final class ForeignClocks {
  private final SimulatedWorld world;
  private final SeededRandom random;
  private final double share;

  ForeignClocks(SimulatedWorld world, int session) {
    this.world = world;
    this.random = world.stream(3_000 + session);
    this.share =
        world.options.has(SimulatedFault.FOREIGN_CLOCKS)
            ? world.stream(2_999).oneOf(0, 0.1, 0.4)
            : 0;
  }

  /** The clock that a transaction is to begin with: the session's own, or one above it. */
  VectorClock next(VectorClock token, SimulatedNode node) {
    if (!random.chance(share)) {
      return token;
    }
    if (random.chance(0.2)) {
      refuse(impossible(token, node), node);
      return token;
    }
    VectorClock clock = token;
    for (int more = random.between(1, 4); more > 0; more--) {
      int shard = random.between(0, world.shards.top());
      long number = number(token.get(shard), node.topologyId());
      clock = number < 1 ? clock : clock.join(VectorClock.ZERO.with(shard, number));
    }
    boolean taken = node.protocol.canBeOurs(clock, node.topologyId());
    world.counters.add(taken ? "foreign clocks taken" : "foreign clocks refused", 1);
    return taken ? clock : token;
  }

  /** A number a little above what was given, or of another epoch. */
  private long number(long own, long topology) {
    long epoch = random.chance(0.5) ? topology : random.between(0, (int) topology);
    long above = random.oneOf(1, 1, 2, 3, 7, 40);
    return random.chance(0.3) ? own + above : (epoch << world.options.counterBits()) + above;
  }

  /** A clock that no node may take. */
  private VectorClock impossible(VectorClock token, SimulatedNode node) {
    int bits = world.options.counterBits();
    int shard = random.between(0, world.shards.top());
    return switch (random.between(0, 2)) {
      case 0 -> token.with(world.shards.top() + random.oneOf(1, 9_000), 1);
      case 1 -> token.with(shard, ((node.topologyId() + random.oneOf(1, 1_000)) << bits) + 1);
      default -> token.with(world.shards.top() + 1, Long.MAX_VALUE);
    };
  }

  private void refuse(VectorClock clock, SimulatedNode node) {
    if (node.protocol.canBeOurs(clock, node.topologyId())) {
      world.problems.add("taken for one of this grid: the clock " + clock);
    }
    world.counters.add("foreign clocks refused", 1);
  }
}
