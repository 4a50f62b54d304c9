package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.LaneNode;
import java.util.Collection;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Whether a node may serve: not while Infinispan says that its side of a cut is the lesser one, and
 * not from when the network shows that on, which is seconds before. Infinispan's new leader first
 * asks all members what they have and hands out what it knew; meanwhile the others go on, and what
 * this node would tell is the past. Thread-safe.
 */
final class Availability {
  private final Consumer<Boolean> tell;

  // Guarded by this object.
  private boolean degraded;
  private Set<NodeId> present = Set.of();
  private Set<NodeId> members = Set.of();
  private boolean available = true;
  private boolean cutOff;

  Availability(LaneNode node) {
    this(node::setAvailable);
  }

  Availability(Consumer<Boolean> tell) {
    this.tell = tell;
  }

  /** By Infinispan. */
  synchronized void degraded(boolean now) {
    degraded = now;
    update();
  }

  synchronized boolean isDegraded() {
    return degraded;
  }

  /**
   * Whether the network has ever shown that this side of a cut is the lesser one. A node that joins
   * was lost to the others then, and not they to the grid: they may have gone on, and let it in.
   */
  synchronized boolean wasCutOff() {
    return cutOff;
  }

  /** By the network: who is there, this node included. */
  synchronized void sees(Set<NodeId> nodes) {
    present = Set.copyOf(nodes);
    update();
  }

  /** A topology of these members is agreed on. */
  synchronized void installed(Collection<NodeId> nodes) {
    members = Set.copyOf(nodes);
    update();
  }

  private void update() {
    boolean outnumbered = isOutnumbered(present, members);
    cutOff |= outnumbered;
    boolean now = !degraded && !outnumbered;
    if (now != available) {
      available = now;
      tell.accept(now);
    }
  }

  /** As Infinispan counts: with half of the members gone neither half goes on. */
  static boolean isOutnumbered(Set<NodeId> present, Set<NodeId> members) {
    long lost = members.stream().filter(member -> !present.contains(member)).count();
    return !present.isEmpty() && lost > 0 && 2 * lost >= members.size();
  }
}
