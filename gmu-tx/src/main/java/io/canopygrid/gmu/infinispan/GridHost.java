package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.infinispan.HandshakeMessage.Kind;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException.Reason;
import io.canopygrid.gmu.infinispan.state.StateFlow;
import io.canopygrid.gmu.infinispan.transport.ForkTransport;
import io.canopygrid.gmu.infinispan.transport.TaskTimer;
import io.canopygrid.gmu.node.ExpelledException;
import io.canopygrid.gmu.node.HostedNode;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.GridLevel;
import io.canopygrid.gmu.spi.GridView;
import io.canopygrid.gmu.spi.NodeHost;
import io.canopygrid.gmu.spi.OrderedStore;
import io.canopygrid.gmu.storage.Recovered;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.factories.KnownComponentNames;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.remoting.transport.Transport;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node's membership of one grid, from joining to leaving: starts the cache that decides who has
 * which shard, and leaves for a node that stops itself. The topologies in between are for {@link
 * TopologyInstaller}. Thread-safe.
 */
final class GridHost implements NodeHost, TopologyInstaller.Host {
  private static final Logger LOG = LoggerFactory.getLogger(GridHost.class);

  private static final long UNAVAILABLE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final GridSettings settings;
  private final boolean ownsCaches;
  private final GridCache cache;

  /** Null: the node has its data in memory only. */
  private final @Nullable NodeDisk disk;

  private final DiskStart start;

  /** Run once an expelled node has ended; null: it does not join again. */
  private final @Nullable Runnable expelled;

  private final GridHosts hosts;
  private final GridLevel level = new GridLevel();
  private final ForkTransport transport;
  private final TaskTimer timer;
  private final StateFlow flow;
  private final HostedNode node;
  private final TopologyInstaller topologies;
  private final JoinHandshake joinHandshake;
  private final JoinSteps steps;
  private final LeaveHandshake leaveHandshake = new LeaveHandshake();
  private final Departure departure;
  private final PlannedStops stops;

  private final CompletableFuture<Void> hasLeft = new CompletableFuture<>();

  /** Written by a thread that holds this object's monitor. */
  private volatile boolean leaving;

  /** Whether the caller of {@link #join} has the node; guarded as {@link #leaving}. */
  private volatile boolean hasJoined;

  /** The node will not come back with its disk. */
  private volatile boolean forGood;

  /** The node has stopped itself, and has nothing to hand over. */
  private volatile boolean hasFailed;

  private volatile @Nullable JoinException refusal;

  GridHost(
      GridSettings settings,
      EmbeddedCacheManager caches,
      boolean ownsCaches,
      @Nullable Runnable expelled,
      OrderedStore.Factory stores,
      Fences fences) {
    this(settings, caches, ownsCaches, expelled, stores, fences, null, null);
  }

  /**
   * The same, with a disk.
   *
   * @param disk null: the node has its data in memory only
   * @param other how nodes agree on a founding; null: those with disks as {@link DiskRound} says
   */
  GridHost(
      GridSettings settings,
      EmbeddedCacheManager caches,
      boolean ownsCaches,
      @Nullable Runnable expelled,
      OrderedStore.Factory stores,
      Fences fences,
      @Nullable NodeDisk disk,
      @Nullable FoundingRound other) {
    GlobalComponentRegistry components = GlobalComponentRegistry.of(caches);
    JGroupsTransport jgroups = (JGroupsTransport) components.getComponent(Transport.class);
    ScheduledExecutorService executor =
        components.getComponent(
            ScheduledExecutorService.class, KnownComponentNames.TIMEOUT_SCHEDULE_EXECUTOR);
    this.settings = settings;
    this.ownsCaches = ownsCaches;
    this.disk = disk;
    this.cache = new GridCache(caches, ownsCaches, settings, disk != null || other != null);
    this.expelled = expelled;
    this.hosts = components.getComponent(GridHosts.class);
    this.transport = new ForkTransport(jgroups.getChannel(), settings.name());
    this.joinHandshake = new JoinHandshake(settings, transport, disk, level);
    this.timer = TaskTimer.of(executor, this::enter);
    this.flow = StateFlow.of(settings.stateBytesPerSecond(), transport, level, timer);
    NodeId self = TopologyMapping.nodeId(jgroups.getAddress());
    Recovered recovered = disk == null ? Recovered.NOTHING : DiskStart.content(disk, settings);
    StoredLevel.tell(recovered, settings.shards(), level);
    this.node =
        new HostedNode(
            self,
            settings.shardMap(),
            settings.node(),
            stores,
            fences,
            flow,
            this,
            disk == null ? null : disk.storage());
    flow.readsCold(node.coldState());
    this.topologies =
        new TopologyInstaller(
            settings, cache, transport, executor, flow, node, jgroups.getAddress(), this);
    this.departure = new Departure(settings, ownsCaches, cache, transport, node, topologies);
    this.stops = new PlannedStops(settings, cache, transport, timer, node, topologies);
    this.steps =
        new JoinSteps(
            settings,
            ownsCaches,
            transport,
            joinHandshake,
            node,
            topologies,
            this::refuse,
            () -> leaving);
    this.start =
        new DiskStart(
            settings,
            disk,
            recovered,
            cache,
            transport,
            joinHandshake,
            node,
            topologies,
            this::refuse,
            () -> leaving,
            other);
  }

  /** Runs what a timer does for this grid. Timers begin once there is a node. */
  private void enter(Runnable task) {
    node.enter(task);
  }

  /** The part that takes what Infinispan tells of this grid's topologies. */
  TopologyInstaller topologies() {
    return topologies;
  }

  /**
   * Joins, and returns when this node has its shards and no rebalance is under way.
   *
   * @param founds whether it may be the first node; if not, and there is no grid, it does not join
   * @param objection says why it must not found a grid together with the others that it sees then;
   *     null: it may
   * @throws IllegalStateException where this cache manager is a member of the grid already
   */
  HostedNode join(boolean founds, Supplier<@Nullable String> objection) {
    if (!hosts.add(cache.name(), topologies)) {
      throw new IllegalStateException("already a member of grid '" + name() + "'");
    }
    if (disk != null) {
      hosts.addAbsences(cache.name(), stops.absences());
    }
    try {
      transport.start(
          new HostInbox(
              node,
              transport,
              flow,
              topologies,
              departure,
              stops,
              this::onHandshake,
              start::heard));
      steps.checkFit(founds, objection);
      if (founds) {
        start.found();
      }
      start.joinWithout();
      cache.start();
      steps.awaitPart(cache);
      steps.checkAvailable();
      steps.awaitSettled();
      steps.checkFounded();
      start.learnGrid();
      checkStays();
    } catch (RuntimeException e) {
      boolean isInterrupted = Thread.interrupted(); // it must not cut the end short
      RuntimeException why = isInterrupted ? steps.interrupted(e) : steps.failure(e, refusal);
      try {
        node.close();
        hasLeft.join();
      } catch (RuntimeException alsoFailed) {
        why.addSuppressed(alsoFailed);
      }
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
      throw why;
    }
    int members = node.topology().members().size();
    LOG.info(
        "{} is a member of grid '{}' (nodes: {}, shards: {}, owners: {})",
        node.self(),
        name(),
        members,
        settings.shards(),
        settings.owners());
    return node;
  }

  /** A node expelled after this joins again by itself; before, the caller hears of it. */
  private synchronized void checkStays() {
    if (leaving) {
      throw new IllegalStateException("ended while it was joining");
    }
    Invariant.holds(!hasJoined, "%s joins twice", node.self());
    hasJoined = true;
    available(topologies.availability().isAvailable());
  }

  @Override
  public JoinException refuse(Reason reason, String message) {
    JoinException why = new JoinException(reason, message, null);
    refusal = why;
    return why;
  }

  @Override
  public void giveUp(String why) {
    node.halt(refuse(Reason.LEFT_ALONE, why));
  }

  @Override
  public void expel(String how) {
    node.halt(new ExpelledException(how, expelled != null));
  }

  /**
   * A grid with disks that has lost so many members that it cannot serve is founded anew from all
   * disks that are there. A moment is left to those who were only not heard.
   */
  @Override
  public void available(boolean now) {
    if (disk != null && !now) {
      timer.run(this::foundAnew, UNAVAILABLE_NANOS);
    }
  }

  private void foundAnew() {
    if (hasJoined && !leaving && !topologies.availability().isAvailable()) {
      expel(TopologyInstaller.TOO_FEW);
    }
  }

  private String name() {
    return settings.name();
  }

  private void onHandshake(NodeId source, HandshakeMessage message) {
    switch (message.kind()) {
      case JOIN_QUERY -> {
        departure.knocked(source);
        joinHandshake.send(source, isMember() ? Kind.GRID_SETTINGS : Kind.JOINING);
      }
      case GRID_SETTINGS, JOINING -> joinHandshake.answered(source, message);
      case LEAVE_QUERY -> {
        topologies.leaves(source);
        if (canDoWithout(source)) {
          joinHandshake.send(source, Kind.LEAVE_CONSENT);
        } else if (departure.copiesCome()) {
          joinHandshake.send(source, Kind.LEAVE_WAIT);
        }
      }
      case LEAVE_CONSENT -> leaveHandshake.releasedBy(source);
      case LEAVE_WAIT -> leaveHandshake.waits();
    }
  }

  /**
   * Whether this node is a member of a grid that can be joined. One whose nodes have disks and that
   * cannot serve is founded anew, with those who come back.
   */
  private boolean isMember() {
    return topologies.hasInstalled()
        && topologies.beginning().isFounded()
        && (disk == null || (start.isKnown() && topologies.availability().isAvailable()));
  }

  /** Whether Infinispan would go on as it is if that node were gone now. */
  private boolean canDoWithout(NodeId leaver) {
    return leaving
        || topologies.availability().isDegraded()
        || (!cache.countsOn(leaver) && (disk == null || isFlushedWithout(leaver)));
  }

  /**
   * Whether all members have a topology without that node, so that none before it counts when the
   * grid is founded from disks.
   */
  private boolean isFlushedWithout(NodeId leaver) {
    return !node.topology().members().contains(leaver) && node.isSettled();
  }

  // ---- what the node tells

  @Override
  public GridLevel level() {
    return level;
  }

  @Override
  public void ahead(long topology) {
    topologies.ahead(topology);
  }

  @Override
  public void synced(long topology, int shard) {
    flow.synced(topology, shard);
    topologies.synced(topology, shard);
  }

  @Override
  public GridView view(Topology installed) {
    Set<NodeId> others = transport.others();
    List<GridView.Member> members = new ArrayList<>();
    for (NodeId id : installed.members()) {
      boolean reachable = id.equals(node.self()) || others.remove(id);
      MemberLog.Known known = topologies.known(id);
      members.add(new GridView.Member(id, known.name(), known.address(), known.zone(), reachable));
    }
    if (!ownsCaches) {
      others.retainAll(departure.knocked()); // other processes of that Infinispan are no nodes
    }
    return new GridView(
        members,
        others,
        settings.owners(),
        stops.absences().nodes().size(),
        topologies.availability().isAvailable());
  }

  @Override
  public void prepareToLeave() {
    if (!hasJoined || hasFailed) {
      return;
    }
    if (handsOver()) {
      departure.prepare();
    } else {
      stops.tell();
    }
  }

  /** A node that has its data on disk may be back: nothing is handed over then. */
  private boolean handsOver() {
    return disk == null || forGood;
  }

  @Override
  public void prepareToLeaveForGood() {
    stops.leaves();
    departure.prepareForGood(disk != null);
    forGood = true;
  }

  @Override
  public void abandon() {
    departure.abandon();
  }

  @Override
  public boolean isHandingOver() {
    return leaveHandshake.copiesCome() || departure.copiesCome();
  }

  @Override
  public void leave() {
    synchronized (this) {
      leaving = true;
    }
    boolean handsOver = handsOver();
    boolean counts = topologies.hasData() && !hasFailed && handsOver;
    topologies.stop();
    stops.close();
    try {
      Set<NodeId> others = othersOfGrid();
      if (!handsOver && ownsCaches) {
        // Infinispan would let the others go on without this node however few they are.
        cache.vanish();
      }
      cache.stop();
      Set<NodeId> unreleased =
          topologies.hasInstalled() && handsOver
              ? leaveHandshake.await(
                  departure.releaseMillis(),
                  departure::isAbandoned,
                  this::othersOfGrid,
                  joinHandshake::askToLeave,
                  cache::leaveAgain)
              : Set.of();
      others.removeAll(transport.others());
      if (counts) {
        departure.ended(others, unreleased);
      }
      topologies.leave();
      cache.remove();
      if (disk != null && forGood && !hasFailed && departure.lostNothing()) {
        disk.hasLeft();
        LOG.info(
            "{} has left grid '{}' for good: its disk does not count any more",
            node.self(),
            name());
      }
    } finally {
      flow.retain(Long.MAX_VALUE, Set.of());
      transport.close();
      cache.forgetFounding();
      hosts.remove(cache.name());
      hasLeft.complete(null);
    }
    departure.checkNothingLost();
  }

  private Set<NodeId> othersOfGrid() {
    Set<NodeId> others = transport.others();
    others.retainAll(topologies.members());
    return others;
  }

  /** Leaves, so that the others can go on, on a thread that may block. */
  @Override
  public void failed(Throwable cause) {
    hasFailed = true;
    LOG.warn("{} leaves grid '{}': {}", node.self(), name(), cause.getMessage());
    if (cause instanceof ExpelledException) {
      String grid = String.format(Locale.ROOT, "not a member of grid '%s': ", name());
      refuse(Reason.EXPELLED, grid + cause.getMessage());
    }
    Thread thread = new Thread(() -> leaveFor(cause), "canopy-leave-" + node.self());
    thread.setDaemon(true);
    thread.start();
  }

  private void leaveFor(Throwable cause) {
    node.close();
    if (cause instanceof ExpelledException && expelled != null && hasJoined) {
      expelled.run();
    }
  }
}
