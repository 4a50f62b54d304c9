package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import java.util.Collection;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Whether a node may serve. It may not serve while Infinispan says that its side of a cut is the
 * lesser one. The network shows this some seconds before, and the node stops serving from that
 * moment on. In between, Infinispan's new leader asks all members for their state and hands out the
 * state that it knew. Meanwhile the others go on, and this node would answer from the past.
 * Thread-safe.
 */
final class Availability {
  private final Consumer<Boolean> tell;

  // Guarded by this object.
  private boolean degraded;
  private Set<NodeId> present = Set.of();
  private Set<NodeId> members = Set.of();
  private boolean available = true;
  private boolean cutOff;

  Availability(Consumer<Boolean> tell) {
    this.tell = tell;
  }

  /** Infinispan says whether the grid is degraded. */
  synchronized void degraded(boolean now) {
    degraded = now;
    update();
  }

  /** Whether this node may serve. */
  synchronized boolean isAvailable() {
    return available;
  }

  synchronized boolean isDegraded() {
    return degraded;
  }

  /**
   * Whether the network has ever shown that this side of a cut is the lesser one. If the node was
   * joining then, the others lost it, but the grid did not lose the others: they may have gone on,
   * and let it in.
   */
  synchronized boolean wasCutOff() {
    return cutOff;
  }

  /** The network shows the nodes that are there, this node included. */
  synchronized void sees(Set<NodeId> nodes) {
    present = Set.copyOf(nodes);
    update();
  }

  /** This node has installed a topology of these members. */
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

  /** Whether half of the members are gone: as Infinispan counts, neither half goes on then. */
  static boolean isOutnumbered(Set<NodeId> present, Set<NodeId> members) {
    long lost = members.stream().filter(member -> !present.contains(member)).count();
    return !present.isEmpty() && lost > 0 && 2 * lost >= members.size();
  }
}
