package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.infinispan.transport.ForkTransport;
import io.canopygrid.gmu.infinispan.transport.TaskTimer;
import io.canopygrid.gmu.node.HostedNode;
import io.canopygrid.gmu.storage.Recovered;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way in which a node's membership begins: with a topology of a grid that serves, as the first
 * node of a new and empty grid, or with the topology that founds a grid from disks. Thread-safe.
 */
final class Beginning {
  private static final Logger LOG = LoggerFactory.getLogger(Beginning.class);

  /** More than a member takes to hear that the others have gone on. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final GridSettings settings;
  private final GridCache cache;
  private final ForkTransport transport;
  private final TaskTimer timer;
  private final HostedNode node;
  private final Consumer<String> giveUp;

  private volatile boolean mayFound;
  private volatile boolean hasSeenOthers;
  private volatile boolean hasFoundedNew;
  private volatile FoundingGate gate = FoundingGate.opened();

  /**
   * Of one node.
   *
   * @param giveUp ends the attempt to join, for a reason in words
   */
  Beginning(
      GridSettings settings,
      GridCache cache,
      ForkTransport transport,
      TaskTimer timer,
      HostedNode node,
      Consumer<String> giveUp) {
    this.settings = settings;
    this.cache = cache;
    this.transport = transport;
    this.timer = timer;
    this.node = node;
    this.giveUp = giveUp;
  }

  /**
   * This node begins to join.
   *
   * @param founds whether it may be the grid's first one
   * @param others whether it sees other nodes
   */
  void joins(boolean founds, boolean others) {
    mayFound = founds;
    hasSeenOthers = others;
  }

  /** This node is a member of those who found the grid from disks. */
  void founds(FoundingPlacement founding, Recovered recovered) {
    gate = FoundingGate.of(founding);
    long taken = node.founds(founding.founding(), recovered);
    if (founding.cut() != null) {
      LOG.warn(
          "{} founds grid '{}' after a power cut, without the commits that not all disks have: {} are"
              + " cut from the copies here; sessions that have seen such are told so"
              + " (COMMITS_LOST)",
          node.self(),
          settings.name(),
          taken);
    }
  }

  /** Whether this node has founded a new and empty grid. */
  boolean hasFoundedNew() {
    return hasFoundedNew;
  }

  /** Whether this node is one of those who found the grid from disks. */
  boolean isFounding() {
    return gate.isFounding();
  }

  /** Whether what this node founds, if anything, has been founded. */
  boolean isFounded() {
    return gate.isOpen();
  }

  /** All members have installed and flushed the topology that this node has founded a grid with. */
  void founded() {
    gate.open();
    if (gate.lacksCopies(settings.owners())
        || gate.sharesZones(settings.owners(), transport::zone)) {
      cache.balance();
    }
  }

  /** A member has installed this topology. */
  void ahead(long topology) {
    gate.ahead(topology);
  }

  /** Whether a topology has to wait until the grid is founded. */
  boolean holds(Topology topology) {
    return gate.holds(topology);
  }

  /** Completes when the grid is founded; at once where this node founds none. */
  CompletionStage<Void> founding() {
    return gate.opens();
  }

  /** Why this must not be the first topology that this node installs; null: it may be. */
  @Nullable String objection(Topology first) {
    if (!gate.mayBeginWith(first)) {
      return notFounded("topology " + first.id() + " is not what its nodes have agreed on");
    }
    if (gate.isFounding()) {
      LOG.warn(
          "{} founds grid '{}' from its disks, with {}",
          node.self(),
          settings.name(),
          first.members());
      return null;
    }
    if (first.members().size() > 1) {
      return null;
    }
    if (!mayFound || (hasSeenOthers && transport.others().isEmpty())) {
      // The nodes that it has seen are gone again: it would found another grid of that name.
      return String.format(
          Locale.ROOT, "no other node of grid '%s' is left to join", settings.name());
    }
    hasFoundedNew = true;
    LOG.warn(
        "{} founded grid '{}', a new and empty one: none of its members answered",
        node.self(),
        settings.name());
    return null;
  }

  /**
   * The channel sees these nodes from now on. A grid that has lost one of those who found it is not
   * founded: this node gives up. It waits a moment where it has installed the topology, as the
   * others may know already that all have.
   *
   * @param hasInstalled whether this node has installed the first topology
   */
  void sees(Set<NodeId> present, boolean hasInstalled) {
    Set<NodeId> missing = gate.missing(present);
    if (missing.isEmpty()) {
      return;
    }
    if (hasInstalled) {
      timer.run(() -> giveUpWithout(missing), PATIENCE_NANOS);
    } else {
      giveUpWithout(missing);
    }
  }

  private void giveUpWithout(Set<NodeId> missing) {
    if (!gate.isOpen()) {
      giveUp.accept(notFounded(missing + " left before all were ready"));
    }
  }

  /** In words that the grid was not founded, and why. */
  String notFounded(String why) {
    return String.format(
        Locale.ROOT, "grid '%s' was not founded from its disks: %s", settings.name(), why);
  }
}
