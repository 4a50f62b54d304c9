package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.infinispan.transport.ForkTransport;
import io.canopygrid.gmu.infinispan.transport.TaskTimer;
import io.canopygrid.gmu.node.HostedNode;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.infinispan.topology.CacheTopology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stops of nodes that will be back with their disks. Such a node tells the others before it
 * goes, and whoever leads then gives its shards to no other node for a while ({@link
 * FoundingLeader}). It says nothing where a shard would be left without a copy, or too few members:
 * then nobody is to wait for it. Thread-safe.
 */
final class PlannedStops {
  private static final Logger LOG = LoggerFactory.getLogger(PlannedStops.class);

  /** The stop does not wait for a node that hangs: that one does not know of it then. */
  private static final long TELL_MILLIS_MAX = 1_000;

  /** The same goes for one that is in the midst of getting copies. */
  private static final long REST_MILLIS_MAX = 2_000;

  private static final long REST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** Much less than a node takes to start, and more than a look costs. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final GridSettings settings;
  private final GridCache cache;
  private final ForkTransport transport;
  private final TaskTimer timer;
  private final HostedNode node;
  private final TopologyInstaller topologies;
  private final Absences absences = new Absences(System::nanoTime);
  private final LeaveHandshake told = new LeaveHandshake();

  // Guarded by this object.
  private boolean hasTold;
  private boolean looks;
  private boolean closed;

  PlannedStops(
      GridSettings settings,
      GridCache cache,
      ForkTransport transport,
      TaskTimer timer,
      HostedNode node,
      TopologyInstaller topologies) {
    this.settings = settings;
    this.cache = cache;
    this.transport = transport;
    this.timer = timer;
    this.node = node;
    this.topologies = topologies;
  }

  Absences absences() {
    return absences;
  }

  /** Tells the others that this node stops and will be back, where they may wait for it. Once. */
  void tell() {
    synchronized (this) {
      if (hasTold) {
        return;
      }
      hasTold = true;
    }
    if (settings.rejoinGraceMillis() == 0 || !isAtRest() || !mayBeAwaited()) {
      return;
    }
    BackSoon message = new BackSoon(true, settings.rejoinGraceMillis());
    Set<NodeId> deaf =
        told.await(TELL_MILLIS_MAX, () -> false, this::others, to -> send(to, message), () -> {});
    if (!deaf.isEmpty()) {
      LOG.warn("{} stops, and has not been heard by {}", node.self(), deaf);
    }
  }

  /**
   * Waits a moment for a rebalance that is about to end: all copies are there before the last of
   * its topologies. False: it goes on, or the node was interrupted.
   */
  private boolean isAtRest() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(REST_MILLIS_MAX);
    while (!isAtRestNow()) {
      if (System.nanoTime() - end > 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(REST_LOOK_NANOS);
    }
    return true;
  }

  private boolean isAtRestNow() {
    CacheTopology newest = cache.topology();
    Topology topology = node.topology();
    return newest != null
        && new Copies(newest).areAtRest(topology.members())
        && !DeferredInstall.hasLearners(topology)
        && node.isSettled();
  }

  /** Whether all goes on without this node, and each of its shards has a copy elsewhere. */
  private boolean mayBeAwaited() {
    lookNow();
    CacheTopology newest = cache.topology();
    Set<NodeId> others = others();
    others.removeAll(absences.nodes());
    return newest != null
        && !others.isEmpty()
        && topologies.availability().isAvailable()
        && !Availability.isOutnumbered(others, topologies.members())
        && new Copies(newest).lastAt(node.self(), others) == 0;
  }

  private Set<NodeId> others() {
    Set<NodeId> others = transport.others();
    others.retainAll(topologies.members());
    return others;
  }

  private void send(NodeId to, BackSoon message) {
    transport.send(to, ByteBuffer.wrap(message.encode()));
  }

  void heard(NodeId from, BackSoon message) {
    if (!message.tells()) {
      told.releasedBy(from);
      return;
    }
    Set<NodeId> members = topologies.members();
    if (!members.contains(from)) {
      return;
    }
    String name = from + " " + topologies.known(from).name();
    if (absences.stops(from, name, message.graceMillis(), node.topology().members())) {
      topologies.stops(from);
      LOG.warn(
          "grid '{}': {} stops and will be back: for {} s its shards go to no other node, and have"
              + " one copy less",
          settings.name(),
          name,
          TimeUnit.MILLISECONDS.toSeconds(message.graceMillis()));
      beginToLook();
    }
    send(from, new BackSoon(false, message.graceMillis()));
  }

  private void beginToLook() {
    synchronized (this) {
      if (looks || closed) {
        return;
      }
      looks = true;
    }
    timer.run(this::look, LOOK_NANOS);
  }

  private void look() {
    synchronized (this) {
      if (closed || absences.nodes().isEmpty()) {
        looks = false;
        return;
      }
    }
    timer.run(this::look, LOOK_NANOS);
    lookNow();
  }

  private void lookNow() {
    Set<NodeId> present = transport.others();
    present.add(node.self());
    Set<NodeId> members = new HashSet<>(node.topology().members());
    members.addAll(cache.admitted());
    List<Absences.Absence> awaited = absences.all();
    String why = absences.look(present, members);
    if (why != null) {
      ended(awaited, why);
    }
  }

  /** A node leaves for good, this one or another: its shards are to have all their copies first. */
  void leaves() {
    List<Absences.Absence> awaited = absences.all();
    if (absences.forget()) {
      ended(awaited, "a node leaves for good");
    }
  }

  private void ended(List<Absences.Absence> awaited, String why) {
    LOG.warn(
        "grid '{}': new copies are made, and {} is not awaited any longer: {}",
        settings.name(),
        awaited.stream().map(Absences.Absence::name).collect(Collectors.joining(", ")),
        why);
    cache.placeShards();
  }

  /** This node is gone. */
  synchronized void close() {
    closed = true;
  }
}
