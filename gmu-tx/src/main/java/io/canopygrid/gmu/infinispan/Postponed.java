package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.Topology.Placement;
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
 * both are topologies that come late, or are missed. Thread-safe.
 */
final class Postponed {
  /** How long the others wait for a new member. */
  static final long NEWCOMER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final StateFlow.Later later;

  // Guarded by this object.
  private @Nullable Topology topology;
  private @Nullable Runnable install;
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
   * Puts off what changes nothing; forgets what was put off before.
   *
   * @param run installs it; called once at most, perhaps at once
   */
  void untilInstalled(Topology next, Runnable run) {
    put(next, false, run);
  }

  /** The same with what brings members, which is installed after a while in any case. */
  void untilNewcomerHas(Topology next, Runnable run) {
    put(next, true, run);
    later.run(() -> run(next.id(), false), NEWCOMER_NANOS);
  }

  private void put(Topology next, boolean awaits, Runnable run) {
    long seen;
    synchronized (this) {
      topology = next;
      awaited = awaits;
      install = run;
      seen = newest;
    }
    run(seen, false);
  }

  /** A newer one is installed in its place. */
  synchronized void drop() {
    topology = null;
    install = null;
  }

  /** A member has installed this topology: what is not newer is put off no longer. */
  void ahead(long id) {
    synchronized (this) {
      newest = Math.max(newest, id);
    }
    run(id, false);
  }

  synchronized long newest() {
    return newest;
  }

  /** A member has left: whoever is waited for may be gone. */
  void departure() {
    run(Long.MAX_VALUE, true);
  }

  private void run(long id, boolean onlyAwaited) {
    Runnable due = null;
    synchronized (this) {
      Topology held = topology;
      if (held != null && held.id() <= id && (awaited || !onlyAwaited)) {
        due = install;
        drop();
      }
    }
    if (due != null) {
      due.run();
    }
  }
}
