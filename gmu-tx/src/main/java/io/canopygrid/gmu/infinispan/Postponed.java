package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The topology that this node was given and installs only when another member has.
 *
 * <p>Each one that is installed costs a round of flushes, for which transactions wait. Two kinds
 * are worth putting off. One that {@link #changesNothing} is installed by nobody, unless a member
 * has missed the one before: that member says so to all by its flush. And one that {@link
 * #bringsMembers} is installed by the new member first: as it runs this code for the first time it
 * takes long, and from the installation on commits wait for its acknowledgement. To the protocol
 * both are topologies that come late, or are missed.
 *
 * <p>Infinispan is told at once that the first kind is here. Of the second kind it is told what
 * came of it: that it is installed, or that it never will be, since a newer one has come, a member
 * has gone or this node leaves. Thread-safe.
 */
final class Postponed {
  /** How long the others wait for a new member. */
  static final long NEWCOMER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final StateFlow.Later later;

  // Guarded by this object.
  private @Nullable Topology topology;
  private Runnable install = Postponed::nothing;
  private Runnable pointless = Postponed::nothing;
  private boolean awaited;

  /** The highest topology that a member is known to have installed. */
  private long newest;

  Postponed(StateFlow.Later later) {
    this.later = later;
  }

  /** Whether the same members hold the same shards, under the same primaries, and have them. */
  static boolean changesNothing(Topology last, Topology next) {
    boolean same = last.members().equals(next.members());
    for (int shard = 0; same && shard < next.shards().size(); shard++) {
      Placement before = last.shard(shard);
      Placement after = next.shard(shard);
      same =
          after.joiners().isEmpty()
              && !before.owners().isEmpty()
              && !after.owners().isEmpty()
              && before.owners().get(0).equals(after.owners().get(0))
              && after.owners().containsAll(before.owners())
              && holders(before).equals(holders(after));
    }
    return same;
  }

  private static Set<NodeId> holders(Placement placement) {
    Set<NodeId> holders = new HashSet<>(placement.owners());
    holders.addAll(placement.joiners());
    return holders;
  }

  /** Whether all members stay and others join them. */
  static boolean bringsMembers(Topology last, Topology next) {
    return next.members().size() > last.members().size()
        && next.members().containsAll(last.members());
  }

  /**
   * Puts off what changes nothing, which nobody waits for.
   *
   * @param run installs it; called once at most, perhaps at once
   */
  void untilInstalled(Topology next, Runnable run) {
    put(next, false, run, Postponed::nothing);
  }

  /**
   * Puts off what brings members; it is installed after a while in any case.
   *
   * @param run installs it
   * @param dropped says that it never will be; one of the two is called, once
   */
  void untilNewcomerHas(Topology next, Runnable run, Runnable dropped) {
    put(next, true, run, dropped);
    later.run(() -> install(next.id()), NEWCOMER_NANOS);
  }

  private void put(Topology next, boolean awaits, Runnable run, Runnable dropped) {
    drop();
    long seen;
    synchronized (this) {
      topology = next;
      awaited = awaits;
      install = run;
      pointless = dropped;
      seen = newest;
    }
    install(seen);
  }

  /** A newer one is given in its place, or this node leaves. */
  void drop() {
    Runnable due;
    synchronized (this) {
      due = topology == null ? Postponed::nothing : pointless;
      topology = null;
    }
    due.run();
  }

  /** A member has installed this topology: what is not newer is put off no longer. */
  void ahead(long id) {
    synchronized (this) {
      newest = Math.max(newest, id);
    }
    install(id);
  }

  synchronized long newest() {
    return newest;
  }

  /** Nobody hears these nodes any more. With one of them no newcomer is installed. */
  void lost(Set<NodeId> nodes) {
    Runnable due = Postponed::nothing;
    synchronized (this) {
      if (topology != null && awaited && !Collections.disjoint(topology.members(), nodes)) {
        due = pointless;
        topology = null;
      }
    }
    due.run();
  }

  /** Installs what is put off, if it is not newer than that. */
  private void install(long id) {
    Runnable due = Postponed::nothing;
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
