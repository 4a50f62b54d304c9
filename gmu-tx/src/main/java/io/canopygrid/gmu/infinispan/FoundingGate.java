package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.spi.ZoneSpread;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets no other topology in before the one that a grid was founded with has been installed and
 * flushed at all its members: a member that has missed that one would own empty copies. Open from
 * the beginning where the grid is not founded from disks. Thread-safe.
 */
final class FoundingGate {
  private final @Nullable FoundingPlacement founding;

  /** The topology that the grid is founded with. */
  private final @Nullable Topology first;

  private final CompletableFuture<Void> open = new CompletableFuture<>();

  private FoundingGate(@Nullable FoundingPlacement founding) {
    this.founding = founding;
    this.first = founding == null ? null : founding.topology();
  }

  /** Of a grid that is not founded from disks, or is there already. */
  static FoundingGate opened() {
    FoundingGate gate = new FoundingGate(null);
    gate.open();
    return gate;
  }

  /** Of a grid that this node founds, with others or alone. */
  static FoundingGate of(FoundingPlacement founding) {
    return new FoundingGate(founding);
  }

  boolean isOpen() {
    return open.isDone();
  }

  /** Completes when it opens. */
  CompletionStage<Void> opens() {
    return open.copy();
  }

  /** All members have installed and flushed the founding topology. */
  void open() {
    open.complete(null);
  }

  /** A member has installed this topology, which it could not before its own gate was open. */
  void ahead(long topology) {
    if (founding != null && topology > founding.id()) {
      open();
    }
  }

  /** Whether a topology may be the first one that this node installs. */
  boolean mayBeginWith(Topology topology) {
    return first == null || first.equals(topology);
  }

  /** Whether a topology has to wait until this opens. */
  boolean holds(Topology topology) {
    return !isOpen() && !topology.equals(first);
  }

  /** Those without whom the grid cannot be founded any more. */
  Set<NodeId> missing(Set<NodeId> present) {
    Set<NodeId> missing = new HashSet<>();
    if (founding != null && !isOpen()) {
      missing.addAll(founding.members());
      missing.removeAll(present);
    }
    return missing;
  }

  /** Whether shards are to have more copies than were found. */
  boolean lacksCopies(int copies) {
    return founding != null && founding.lacksCopies(copies);
  }

  /**
   * Whether copies of a shard were found in one zone. Nodes may have been started in other zones
   * than those that they had when the disks were written.
   *
   * @param zone of a member, empty where it does not say
   */
  boolean sharesZones(int copies, Function<NodeId, String> zone) {
    return founding != null && ZoneSpread.of(founding.topology(), copies, zone).crowded() > 0;
  }

  /** Whether this node founds the grid from disks. */
  boolean isFounding() {
    return founding != null;
  }
}
