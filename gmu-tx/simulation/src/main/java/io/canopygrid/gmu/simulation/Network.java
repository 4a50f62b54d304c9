package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.NodeId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The network of a run: it decides how long messages take, which arrive twice, and which do not
 * arrive.
 */
final class Network {
  private final SeededRandom random;
  private final boolean reorders;
  private final double slow;
  private final int far;
  private final double repeated;
  private final double lost;
  private final Map<Link, Long> cutUntil = new HashMap<>();
  private long cutsEnd;
  private long delayedMessages;
  private long repeatedMessages;
  private final Set<NodeId> apart = new HashSet<>();
  private final Map<Link, Long> lastArrival = new HashMap<>();

  private record Link(NodeId from, NodeId to) {}

  Network(SimulationOptions options, SeededRandom random) {
    this.random = random;
    this.reorders = options.has(SimulatedFault.REORDER);
    this.slow = options.has(SimulatedFault.DELAY) ? random.oneOf(0, 0.05, 0.2) : 0;
    this.far = random.oneOf(150, 400);
    this.lost = options.has(SimulatedFault.LOSS) ? random.oneOf(0.01, 0.05, 0.15) : 0;
    this.repeated = options.has(SimulatedFault.DUPLICATE) ? random.oneOf(0, 0.03) : 0;
  }

  /** The time that something takes which goes over no link. */
  int delay() {
    if (random.chance(slow)) {
      delayedMessages++;
      return random.between(20, far);
    }
    return random.between(1, 10);
  }

  /**
   * The time that a message takes; without reordering the message stays behind those sent before.
   */
  long delay(NodeId from, NodeId to, long now) {
    long arrival = now + delay();
    if (!reorders) {
      arrival = Math.max(arrival, lastArrival.getOrDefault(new Link(from, to), 0L));
      lastArrival.put(new Link(from, to), arrival);
    }
    return arrival - now;
  }

  /** Nothing gets through between two nodes for a while. */
  void cut(NodeId one, NodeId other, long until) {
    cutsEnd = Math.max(cutsEnd, until);
    cutUntil.put(new Link(one, other), until);
    cutUntil.put(new Link(other, one), until);
  }

  /** These nodes are cut off from all others, for good. */
  void separate(Collection<NodeId> nodes) {
    apart.addAll(nodes);
  }

  /**
   * Whether a message is lost.
   *
   * @param calm no faults any more
   */
  boolean loses(NodeId from, NodeId to, long now, boolean calm) {
    return (!apart.isEmpty() && apart.contains(from) != apart.contains(to))
        || (now < cutsEnd && cutUntil.getOrDefault(new Link(from, to), 0L) > now)
        || (lost > 0 && !calm && random.chance(lost));
  }

  boolean repeats() {
    boolean repeats = random.chance(repeated);
    repeatedMessages += repeats ? 1 : 0;
    return repeats;
  }

  /** Says how many messages took long, and how many came twice. */
  void count(Counters counters) {
    counters.add("messages delayed", delayedMessages);
    counters.add("messages repeated", repeatedMessages);
  }
}
