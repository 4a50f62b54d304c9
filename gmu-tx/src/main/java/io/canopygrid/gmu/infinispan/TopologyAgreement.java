package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets a topology that drops a member be installed only after each of its members has received the
 * very same one.
 *
 * <p>Infinispan lets the oldest node that is left decide alone which nodes are left. Where messages
 * pass one way only, a node that no other node hears can so believe that it leads a majority, which
 * knows nothing of it. It would commit transactions that it was waiting to replicate to the node
 * that it has dropped. The protocol relies on topologies that follow each other. Hence a member of
 * the new topology must have agreed to it, and a member takes its topologies from one leader at a
 * time. Thread-safe.
 */
final class TopologyAgreement {
  /** Nodes that have left and are remembered: more than leave while one topology travels. */
  static final int LOST_MAX = 1_000;

  private final NodeId self;
  private final BiConsumer<NodeId, TopologyNotice> send;

  // Guarded by this object.
  /** The members that have not agreed to the topology received last; never this node. */
  private final Set<NodeId> missing = new HashSet<>();

  /** The newest unanswered question of each node: it asks about a topology ahead of this node. */
  private final Map<NodeId, TopologyNotice> asked = new HashMap<>();

  private @Nullable TopologyNotice received;
  private CompletableFuture<Void> complete = CompletableFuture.completedFuture(null);
  private Set<NodeId> lastMembers = Set.of();
  private Set<NodeId> present = Set.of();

  /** Nodes that were present and are present no more, the oldest first. */
  private final Set<NodeId> lost = new LinkedHashSet<>();

  private boolean leaving;

  TopologyAgreement(NodeId self, BiConsumer<NodeId, TopologyNotice> send) {
    this.self = self;
    this.send = send;
  }

  /**
   * This node has received a topology from Infinispan.
   *
   * @return completes when it can be installed; exceptionally where that has become pointless
   */
  CompletionStage<Void> received(Topology topology) {
    Set<NodeId> others = new HashSet<>(topology.members());
    others.remove(self);
    TopologyNotice notice = TopologyNotice.of(topology, false);
    List<NodeId> answers;
    boolean drops;
    CompletableFuture<Void> next = new CompletableFuture<>();
    CompletableFuture<Void> before;
    boolean misses;
    synchronized (this) {
      before = complete;
      received = notice;
      answers = takeAskedUpTo(notice.topology());
      drops = !topology.members().containsAll(lastMembers);
      missing.clear();
      if (drops) {
        missing.addAll(others);
      }
      if (missing.isEmpty()) {
        next.complete(null);
      }
      complete = next;
      misses = misses();
      check();
    }
    abandon(before);
    if (misses) {
      abandon(next);
    }
    answers.forEach(to -> send.accept(to, notice));
    if (drops) {
      others.forEach(to -> send.accept(to, TopologyNotice.of(topology, true)));
    }
    return next;
  }

  /** This node has installed a topology, with which later ones are compared. */
  synchronized void installed(Topology topology) {
    lastMembers = Set.copyOf(topology.members());
  }

  private List<NodeId> takeAskedUpTo(long topology) {
    List<NodeId> nodes = new ArrayList<>();
    asked.forEach((node, question) -> {
      if (question.topology() <= topology) {
        nodes.add(node);
      }
    });
    nodes.forEach(asked::remove);
    return nodes;
  }

  /** Takes in what another member has received. */
  void heard(NodeId from, TopologyNotice notice) {
    TopologyNotice answer = null;
    CompletableFuture<Void> completed = null;
    CompletableFuture<Void> pointless = null;
    synchronized (this) {
      TopologyNotice own = received;
      if (own != null && own.topology() < notice.topology()) {
        // The sender's topology comes after this node's, which the sender may never install.
        pointless = complete;
      } else if (own != null
          && own.topology() == notice.topology()
          && own.digest() == notice.digest()
          && missing.remove(from)
          && missing.isEmpty()) {
        completed = complete;
      }
      if (notice.asks()) {
        if (leaving) {
          answer = notice.echo();
        } else if (own != null && own.topology() >= notice.topology()) {
          answer = own;
        } else {
          asked.put(from, notice);
        }
      }
    }
    if (answer != null) {
      send.accept(from, answer);
    }
    if (completed != null) {
      completed.complete(null);
    }
    abandon(pointless);
  }

  /**
   * The channel sees these nodes from now on. If this node waits for a node that has gone, the wait
   * ends: the other node was a member, so the next topology is on its way.
   */
  void sees(Set<NodeId> nodes) {
    CompletableFuture<Void> pointless = null;
    synchronized (this) {
      lost.addAll(present);
      lost.removeAll(nodes);
      present = Set.copyOf(nodes);
      Iterator<NodeId> oldest = lost.iterator();
      while (lost.size() > LOST_MAX) {
        oldest.next();
        oldest.remove();
      }
      check();
      if (misses()) {
        pointless = complete;
      }
    }
    abandon(pointless);
  }

  /** No node is both lost and present, and this node does not wait for itself. */
  private void check() {
    Invariant.holds(
        Collections.disjoint(lost, present) && !missing.contains(self),
        "lost %s, present %s, missing %s",
        lost,
        present,
        missing);
  }

  private boolean misses() {
    return !Collections.disjoint(missing, lost);
  }

  /** The nodes that have left and have not come back. */
  synchronized Set<NodeId> lost() {
    return Set.copyOf(lost);
  }

  /** A member has installed this topology: no member agrees on an older one any more. */
  void ahead(long topology) {
    CompletableFuture<Void> pointless = null;
    synchronized (this) {
      if (received != null && received.topology() < topology) {
        pointless = complete;
      }
    }
    abandon(pointless);
  }

  /** This node leaves: from now on it agrees to every topology of the others. */
  void leave() {
    List<Map.Entry<NodeId, TopologyNotice>> open;
    CompletableFuture<Void> pointless;
    synchronized (this) {
      leaving = true;
      pointless = complete;
      open = List.copyOf(asked.entrySet());
      asked.clear();
    }
    open.forEach(entry -> send.accept(entry.getKey(), entry.getValue().echo()));
    abandon(pointless);
  }

  /**
   * Ends a wait that has become pointless; does nothing where it is complete. To be called without
   * the lock, since Infinispan goes on from here.
   */
  private static void abandon(@Nullable CompletableFuture<Void> call) {
    if (call != null) {
      call.completeExceptionally(PhaseConfirmation.pointless());
    }
  }
}
