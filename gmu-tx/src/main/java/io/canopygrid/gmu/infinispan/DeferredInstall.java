package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import io.canopygrid.gmu.infinispan.transport.TaskTimer;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The topology that this node has received and installs only when another member has.
 *
 * <p>Each topology that is installed costs a round of flushes, for which transactions wait. Two
 * kinds are worth deferring. A topology that {@link #changesNothing} is not installed by any
 * member, unless a member has missed the one before. That member says so to all by its flush. The
 * last topology of a rebalance is not among these where learners became owners by it. A topology
 * that {@link #bringsMembers} is installed by the new member first: it runs this code for the first
 * time and takes long, and from the installation on commits wait for its acknowledgement. To the
 * protocol both are topologies that come late, or are missed.
 *
 * <p>Infinispan is told at once that the first kind is here. For the second kind it is told the
 * outcome: the topology is installed, or it never will be, since a newer one has come, a member has
 * gone or this node leaves. Thread-safe.
 */
final class DeferredInstall {
  /** The time for which the other members wait for a new one. */
  static final long NEWCOMER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final TaskTimer timer;

  // Guarded by this object.
  private @Nullable Topology topology;
  private Runnable install = DeferredInstall::nothing;
  private Runnable pointless = DeferredInstall::nothing;
  private boolean awaited;

  /** The highest topology that a member is known to have installed. */
  private long newest;

  DeferredInstall(TaskTimer timer) {
    this.timer = timer;
  }

  /** Whether the same members have complete copies of the same shards, under the same primaries. */
  static boolean changesNothing(Topology last, Topology next) {
    boolean same = last.members().equals(next.members());
    for (int shard = 0; same && shard < next.shards().size(); shard++) {
      Placement before = last.shard(shard);
      Placement after = next.shard(shard);
      same =
          after.learners().isEmpty()
              && !before.owners().isEmpty()
              && !after.owners().isEmpty()
              && before.owners().get(0).equals(after.owners().get(0))
              && after.owners().containsAll(before.owners())
              && replicas(before).equals(replicas(after));
    }
    return same;
  }

  /** Whether shards have learners, who would stay learners were no further topology installed. */
  static boolean hasLearners(Topology topology) {
    return topology.shards().stream().anyMatch(shard -> !shard.learners().isEmpty());
  }

  private static Set<NodeId> replicas(Placement placement) {
    Set<NodeId> replicas = new HashSet<>(placement.owners());
    replicas.addAll(placement.learners());
    return replicas;
  }

  /** Whether all members stay and others join them. */
  static boolean bringsMembers(Topology last, Topology next) {
    return next.members().size() > last.members().size()
        && next.members().containsAll(last.members());
  }

  /**
   * Defers a topology that changes nothing; no caller waits for it.
   *
   * @param run installs it; called once at most, perhaps at once
   */
  void untilInstalled(Topology next, Runnable run) {
    put(next, false, run, DeferredInstall::nothing);
  }

  /**
   * Defers a topology that brings members; it is installed after a while in any case.
   *
   * @param run installs it
   * @param dropped says that it never will be; one of the two is called, once
   */
  void untilNewcomerHas(Topology next, Runnable run, Runnable dropped) {
    put(next, true, run, dropped);
    timer.run(() -> install(next.id()), NEWCOMER_NANOS);
  }

  private void put(Topology next, boolean awaits, Runnable run, Runnable dropped) {
    Runnable replaced;
    long seen;
    synchronized (this) {
      replaced = topology == null ? DeferredInstall::nothing : pointless;
      topology = next;
      awaited = awaits;
      install = run;
      pointless = dropped;
      seen = newest;
    }
    replaced.run();
    install(seen);
  }

  /** Gives up the deferred topology: a newer one has come in its place, or this node leaves. */
  void drop() {
    Runnable due;
    synchronized (this) {
      due = topology == null ? DeferredInstall::nothing : pointless;
      topology = null;
    }
    due.run();
  }

  /** A member has installed this topology: a topology that is not newer is deferred no longer. */
  void ahead(long id) {
    synchronized (this) {
      newest = Math.max(newest, id);
    }
    install(id);
  }

  synchronized long newest() {
    return newest;
  }

  /**
   * The channel does not hear these nodes any more. A newcomer is not installed together with one
   * of them.
   */
  void lost(Set<NodeId> nodes) {
    Runnable due = DeferredInstall::nothing;
    synchronized (this) {
      if (topology != null && awaited && !Collections.disjoint(topology.members(), nodes)) {
        due = pointless;
        topology = null;
      }
    }
    due.run();
  }

  /** Installs the deferred topology, if its id is not above this one. */
  private void install(long id) {
    Runnable due = DeferredInstall::nothing;
    synchronized (this) {
      if (topology != null && topology.id() <= id) {
        due = install;
        topology = null;
      }
    }
    due.run();
  }

  private static void nothing() {}
}
