package io.canopygrid.gmu.infinispan;

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
 * Lets a topology that drops a member be installed only after each of its members has been given
 * the very same one.
 *
 * <p>Infinispan lets the oldest node that is left decide alone who is left. Where messages pass one
 * way only, a node that nobody hears can so believe to lead a majority that knows nothing of it,
 * and would commit what it was waiting to replicate to the node that it has dropped. The protocol
 * relies on topologies that follow each other; hence a member of the new one must have agreed to
 * it, and it takes its topologies from one leader at a time. Thread-safe.
 */
final class RollCall {
  /** So many nodes that have left are remembered: more than leave while one topology travels. */
  static final int LOST_MAX = 1_000;

  private final NodeId self;
  private final BiConsumer<NodeId, TopologyNotice> send;

  // Guarded by this object.
  private final Set<NodeId> missing = new HashSet<>();

  /** The newest question of each node that was not answered: it is ahead of this one. */
  private final Map<NodeId, TopologyNotice> asked = new HashMap<>();

  private @Nullable TopologyNotice given;
  private CompletableFuture<Void> complete = CompletableFuture.completedFuture(null);
  private Set<NodeId> lastMembers = Set.of();
  private Set<NodeId> present = Set.of();

  /** Who was present and is so no more, the oldest first. */
  private final Set<NodeId> lost = new LinkedHashSet<>();

  private boolean leaving;

  RollCall(NodeId self, BiConsumer<NodeId, TopologyNotice> send) {
    this.self = self;
    this.send = send;
  }

  /**
   * This node was given a topology.
   *
   * @return completes when it can be installed; exceptionally where that has become pointless
   */
  CompletionStage<Void> given(Topology topology) {
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
      given = notice;
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

  /** The topology is the one that later ones are compared with. */
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

  /** What another member was given. */
  void heard(NodeId from, TopologyNotice notice) {
    TopologyNotice answer = null;
    CompletableFuture<Void> completed = null;
    CompletableFuture<Void> pointless = null;
    synchronized (this) {
      TopologyNotice own = given;
      if (own != null && own.topology() < notice.topology()) {
        // Its topology comes after this one, which may never be installed over there.
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
   * Whom the channel sees from now on. Who waits for a node that has gone waits no longer: it is a
   * member, so the next topology is on its way.
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
      if (misses()) {
        pointless = complete;
      }
    }
    abandon(pointless);
  }

  private boolean misses() {
    return !Collections.disjoint(missing, lost);
  }

  /** Who has left, and has not come back. */
  synchronized Set<NodeId> lost() {
    return Set.copyOf(lost);
  }

  /** A member has installed this topology: an older one is not agreed on any more. */
  void ahead(long topology) {
    CompletableFuture<Void> pointless = null;
    synchronized (this) {
      if (given != null && given.topology() < topology) {
        pointless = complete;
      }
    }
    abandon(pointless);
  }

  /** From now on this node agrees to whatever the others do. */
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
   * Does nothing to what is complete. Of this kind of exception Infinispan logs nothing, and it
   * confirms nothing. Not under the lock: Infinispan goes on from here.
   */
  private static void abandon(@Nullable CompletableFuture<Void> call) {
    if (call != null) {
      call.completeExceptionally(Confirmation.pointless());
    }
  }
}
