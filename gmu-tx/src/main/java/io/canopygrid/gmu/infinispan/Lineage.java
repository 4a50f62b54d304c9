package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that whoever is an owner has had its copy all the time.
 *
 * <p>Infinispan orders topologies by their ids only. When all sides of a cut are degraded, the one
 * that has counted furthest wins the merge, be it one that the others have gone on without: its
 * nodes are owners then of what they have missed. So a node stands by the newest topology that it
 * has agreed to: it refuses one that has an owner of a shard which that one gives no copy, and
 * tells such a node, which ends if what it stands by itself is older. And a node that may have
 * missed a topology is in doubt: it installs the next one only after all members have agreed to it.
 * Thread-safe.
 */
final class Lineage {
  private final NodeId self;

  /** Else Infinispan gives lost shards to nodes that have no copy, and nothing is promised. */
  private final boolean hasBackups;

  private final BiConsumer<NodeId, Objection> send;

  /** Ends this node. */
  private final Consumer<String> end;

  // Guarded by this object.

  /** The newest one agreed to with nothing missed before; null before the first. */
  private @Nullable Topology certain;

  /** The newest one agreed to in doubt that drops a member: the others may have installed it. */
  private @Nullable Topology vowed;

  private long agreed;
  private boolean inDoubt;
  private long installed;
  private boolean ended;

  Lineage(
      NodeId self, boolean hasBackups, BiConsumer<NodeId, Objection> send, Consumer<String> end) {
    this.self = self;
    this.hasBackups = hasBackups;
    this.send = send;
    this.end = end;
  }

  /** Whether this node must not agree; tells those for whose sake, and ends where it is one. */
  boolean refuses(Topology next) {
    Set<NodeId> lacking = new HashSet<>();
    Objection objection;
    synchronized (this) {
      Topology standing = standing(next.id());
      if (standing == null || !hasBackups) {
        return false;
      }
      objection = new Objection(next.id(), rank(standing));
      for (int shard = 0; shard < next.shards().size(); shard++) {
        Placement before = standing.shard(shard);
        next.shard(shard).owners().stream()
            .filter(owner -> !before.isHeldBy(owner))
            .forEach(lacking::add);
      }
    }
    for (NodeId node : lacking) {
      if (node.equals(self)) {
        end("topology " + next.id() + " counts on what this node does not have");
      } else {
        send.accept(node, objection);
      }
    }
    return !lacking.isEmpty();
  }

  /**
   * This node agrees to a topology that it does not refuse.
   *
   * @param drops whether a member of the one installed last is missing
   * @return whether it may be installed only after all members have agreed
   */
  synchronized boolean agree(Topology next, boolean drops) {
    inDoubt = certain != null && (inDoubt || next.id() > agreed + 1);
    agreed = next.id();
    if (!inDoubt) {
      certain = next;
    } else if (drops) {
      vowed = next;
    }
    return inDoubt || drops;
  }

  /** All members have agreed. */
  synchronized void confirmed(Topology topology) {
    Topology last = certain;
    if (last == null || topology.id() > last.id()) {
      certain = topology;
    }
    if (topology.id() == agreed) {
      inDoubt = false;
    }
  }

  synchronized void installed(Topology topology) {
    installed = topology.id();
  }

  /** A member stands by a topology in which this node lost its copy, or says so. */
  void heard(NodeId from, Objection objection) {
    boolean isBehind;
    synchronized (this) {
      Topology standing = standing(objection.topology());
      long own = standing == null ? 0 : rank(standing);
      isBehind =
          own < objection.standing() || (own == objection.standing() && self.compareTo(from) < 0);
    }
    if (isBehind) {
      end("the other nodes have gone on without this one");
    }
  }

  private void end(String why) {
    synchronized (this) {
      ended = true;
    }
    end.accept(why);
  }

  /** Whether this node ends although Infinispan counts on it. */
  synchronized boolean hasEnded() {
    return ended;
  }

  /** What this node agreed to before a topology that it is in doubt of. */
  private @Nullable Topology standing(long contested) {
    Topology sure = certain;
    Topology vow = vowed;
    boolean isVowed = vow != null && vow.id() < contested && (sure == null || vow.id() > sure.id());
    return isVowed ? vow : sure;
  }

  /** By the id; of two sides that used the same one, who has installed its own is ahead. */
  private long rank(Topology topology) {
    return 2 * topology.id() + (topology.id() <= installed ? 1 : 0);
  }
}
