package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.NodeId;
import java.util.HashMap;
import java.util.Map;

/** How long messages take, and which arrive twice. */
final class Network {
  private final SeededRandom random;
  private final boolean reorders;
  private final double slow;
  private final int far;
  private final double repeated;
  private final Map<Link, Long> lastArrival = new HashMap<>();

  private record Link(NodeId from, NodeId to) {}

  Network(SimulationOptions options, SeededRandom random) {
    this.random = random;
    this.reorders = options.has(Fault.REORDER);
    this.slow = options.has(Fault.DELAY) ? random.oneOf(0, 0.05, 0.2) : 0;
    this.far = random.oneOf(150, 400);
    this.repeated = options.has(Fault.DUPLICATE) ? random.oneOf(0, 0.03) : 0;
  }

  /** How long something takes that goes over no link. */
  int delay() {
    return random.chance(slow) ? random.between(20, far) : random.between(1, 10);
  }

  /** How long a message takes; without reordering it stays behind those sent before. */
  long delay(NodeId from, NodeId to, long now) {
    long arrival = now + delay();
    if (!reorders) {
      arrival = Math.max(arrival, lastArrival.getOrDefault(new Link(from, to), 0L));
      lastArrival.put(new Link(from, to), arrival);
    }
    return arrival - now;
  }

  boolean repeats() {
    return random.chance(repeated);
  }
}
