package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.infinispan.Greeting.Kind;
import io.canopygrid.gmu.infinispan.JoinException.Reason;
import io.canopygrid.gmu.node.ExpelledException;
import io.canopygrid.gmu.node.LaneNode;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.NodeHost;
import io.canopygrid.gmu.spi.OrderedStore;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.infinispan.distribution.ch.ConsistentHash;
import org.infinispan.distribution.ch.impl.DefaultConsistentHash;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.factories.KnownComponentNames;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.remoting.transport.Address;
import org.infinispan.remoting.transport.Transport;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.infinispan.topology.CacheStatusResponse;
import org.infinispan.topology.CacheTopology;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node's membership of one grid: starts the cache that decides who has which shard, hands each
 * of its topologies to the node before Infinispan installs it, and holds Infinispan back until the
 * node has the shards that it joins.
 *
 * <p>Infinispan delivers topologies one after the other, in the order of their ids; it may skip
 * some.
 */
final class GridHost implements NodeHost {
  private static final Logger LOG = LoggerFactory.getLogger(GridHost.class);

  /** Longer than any shard takes; a node that has no state by then leaves the grid. */
  private static final long SYNC_TIMEOUT_MINUTES = 30;

  private static final String LEFT_OUT = "the other nodes have gone on without this one";
  private static final long SETTLED_POLL_NANOS = 1_000_000;

  private final GridSettings settings;
  private final GridCache cache;

  /** Run once an expelled node has ended; null: then that is that. */
  private final @Nullable Runnable expelled;

  private final GridHosts hosts;
  private final ScheduledExecutorService timer;
  private final Address address;
  private final ForkTransport transport;
  private final StateFlow flow;
  private final LaneNode node;

  private final Lineage lineage;
  private final RollCall rollCall;
  private final Availability availability;
  private final Postponed postponed;
  private final Introduction introduction;

  /** Of the topology installed last; null: this node is no member yet. */
  private volatile @Nullable ShardSync sync;

  /** Whether the topology installed last counts on what this node has. */
  private volatile boolean hasData;

  /** Whether this node may be the grid's first one. */
  private volatile boolean mayFound;

  /** Whether there were others when this node began to join. */
  private volatile boolean hasSeenOthers;

  private final Farewell farewell = new Farewell();
  private final CompletableFuture<Void> hasLeft = new CompletableFuture<>();
  private volatile boolean leaving;
  private volatile boolean hasJoined;
  private volatile @Nullable JoinException refusal;

  /** Installed once the grid is available again. For Infinispan's events, one at a time. */
  private @Nullable Given withheld;

  GridHost(
      GridSettings settings,
      EmbeddedCacheManager caches,
      boolean ownsCaches,
      @Nullable Runnable expelled,
      OrderedStore.Factory stores,
      Fences fences) {
    GlobalComponentRegistry components = GlobalComponentRegistry.of(caches);
    JGroupsTransport jgroups = (JGroupsTransport) components.getComponent(Transport.class);
    this.settings = settings;
    this.cache = new GridCache(caches, ownsCaches, settings);
    this.expelled = expelled;
    this.hosts = components.getComponent(GridHosts.class);
    this.timer =
        components.getComponent(
            ScheduledExecutorService.class, KnownComponentNames.TIMEOUT_SCHEDULE_EXECUTOR);
    this.address = jgroups.getAddress();
    this.transport = new ForkTransport(jgroups.getChannel(), settings.name());
    this.introduction = new Introduction(settings, transport);
    StateFlow.Later later = StateFlow.Later.of(timer);
    this.flow = StateFlow.of(settings.stateBytesPerSecond(), transport, later);
    this.postponed = new Postponed(later);
    NodeId self = TopologyMapping.nodeId(address);
    this.lineage =
        new Lineage(
            self, (to, standing) -> transport.send(to, ByteBuffer.wrap(standing.encode())), later);
    this.rollCall =
        new RollCall(self, (to, notice) -> transport.send(to, ByteBuffer.wrap(notice.encode())));
    this.node =
        new LaneNode(self, settings.shardMap(), settings.node(), stores, fences, flow, this);
    this.availability = new Availability(node);
  }

  /**
   * Joins, and returns when this node has its shards and no rebalance is under way.
   *
   * @param founds whether it may be the first one; if not, and there is no grid, it does not join
   * @throws IllegalStateException where this cache manager is a member of the grid already
   */
  LaneNode join(boolean founds) {
    mayFound = founds;
    if (!hosts.add(cache.name(), this)) {
      throw new IllegalStateException("already a member of grid '" + name() + "'");
    }
    try {
      transport.start(node, this);
      checkFit();
      cache.start();
      checkAvailable();
      awaitSettled();
      checkStays();
    } catch (RuntimeException e) {
      JoinException refused = refusal;
      JoinException why = refused != null ? refused : JoinException.of(settings, sync, e);
      try {
        node.close();
        hasLeft.join();
      } catch (RuntimeException alsoFailed) {
        why.addSuppressed(alsoFailed);
      }
      throw why;
    }
    int members = node.topology().members().size();
    LOG.info("{} is a member of grid '{}': {} nodes, {}", node.self(), name(), members, settings);
    return node;
  }

  /** Asks the members what the grid is like; with nobody there to answer, this node founds it. */
  private void checkFit() {
    Set<NodeId> others = transport.others();
    hasSeenOthers = !others.isEmpty();
    String misfit = introduction.misfit(others);
    if (misfit != null) {
      throw refuse(Reason.SETTINGS_DIFFER, misfit);
    }
  }

  private JoinException refuse(Reason reason, String message) {
    JoinException why = new JoinException(reason, message, null);
    refusal = why;
    return why;
  }

  /** The other members install the last topology at about the same time, not before. */
  private void awaitSettled() {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.joinTimeoutMillis());
    while (!node.isSettled() && !leaving && deadline > System.nanoTime() && !Thread.interrupted()) {
      LockSupport.parkNanos(SETTLED_POLL_NANOS);
    }
  }

  /** From here on whoever is expelled joins again by itself; before that the caller hears of it. */
  private synchronized void checkStays() {
    if (leaving) {
      throw new IllegalStateException("ended while it was joining");
    }
    hasJoined = true;
  }

  private void checkAvailable() {
    if (availability.isDegraded()) {
      throw refuse(
          availability.wasCutOff() ? Reason.LEFT_ALONE : Reason.GRID_DEGRADED,
          "grid '%s' has lost shards or half of its nodes and waits for them".formatted(name()));
    }
  }

  private String name() {
    return settings.name();
  }

  // ---- what Infinispan tells

  /**
   * A topology that Infinispan installs when the stage returned is complete.
   *
   * <p>After a merge the one that brings this node back, as a joiner, can come before the one that
   * is without it. Infinispan then makes one up in between, to forget what it had; that counts too.
   */
  CompletionStage<Void> onTopology(int id, ConsistentHash read, ConsistentHash write) {
    CacheTopology current = cache.topology();
    if (hasData && !read.getMembers().contains(address)) {
      expel(LEFT_OUT);
      return current == null || current.getPhase() == CacheTopology.Phase.NO_REBALANCE
          ? CompletableFuture.completedFuture(null)
          // Infinispan must not hear that this node got what it was to get.
          : CompletableFuture.failedFuture(Confirmation.pointless());
    }
    if (current == null || current.getTopologyId() != id) {
      // Infinispan goes through a topology of its own making on its way over one that it missed.
      return CompletableFuture.completedFuture(null);
    }
    List<Address> members = current.getActualMembers();
    if (!members.contains(address)) {
      return onTopologyOfOthers(read);
    }
    if (!members.containsAll(read.getMembers()) || !members.containsAll(write.getMembers())) {
      // Who has just begun to lead, cut off or not, first hands out what it knew without those it
      // misses, as available; only then does Infinispan find out whether it has a majority, and
      // another topology follows in any case.
      return CompletableFuture.completedFuture(null);
    }
    boolean joining = current.getPhase() == CacheTopology.Phase.READ_OLD_WRITE_ALL;
    Topology topology = TopologyMapping.map(id, members, read, write, joining);
    Given given = new Given(topology, current);
    lineage.given(given);
    CompletionStage<Void> agreed = rollCall.given(topology);
    postponed.drop();
    if (availability.isDegraded() && !joining) {
      withheld = given;
      return CompletableFuture.completedFuture(null);
    }
    withheld = null;
    Topology last = sync == null ? null : node.topology();
    if (last != null && Postponed.changesNothing(last, topology)) {
      hasData = hasData(topology);
      postponed.untilInstalled(topology, () -> install(given));
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> installed = new CompletableFuture<>();
    Runnable install =
        () ->
            agreed
                .thenCompose(done -> install(given))
                .whenComplete((synced, why) -> Confirmation.give(installed, why));
    if (last != null && Postponed.bringsMembers(last, topology)) {
      postponed.untilNewcomerHas(
          topology, install, () -> Confirmation.give(installed, Confirmation.pointless()));
      postponed.lost(rollCall.lost());
    } else {
      install.run();
    }
    return installed;
  }

  /** Before this node joins, or after it was expelled. */
  private CompletionStage<Void> onTopologyOfOthers(ConsistentHash read) {
    if (sync != null) {
      expel(LEFT_OUT);
      return CompletableFuture.completedFuture(null);
    }
    int owners = ((DefaultConsistentHash) read).getNumOwners();
    String misfit = Greeting.misfit(settings, read.getNumSegments(), owners);
    return misfit == null
        ? CompletableFuture.completedFuture(null)
        : CompletableFuture.failedFuture(refuse(Reason.SETTINGS_DIFFER, misfit));
  }

  /** Two at a time where one was put off: the older one is over then. */
  private synchronized CompletionStage<Void> install(Given given) {
    Topology topology = given.topology();
    if (leaving || !lineage.mayInstall(given)) {
      return CompletableFuture.failedFuture(Confirmation.pointless());
    }
    if (sync != null && node.topology().id() > topology.id()) {
      return CompletableFuture.completedFuture(null);
    }
    boolean alone = !mayFound || (hasSeenOthers && transport.others().isEmpty());
    if (sync == null && topology.members().size() == 1 && alone) {
      // Those whom it has seen are gone again: what it would found is another grid of that name.
      return CompletableFuture.failedFuture(
          refuse(
              Reason.LEFT_ALONE, "no other node of grid '%s' is left to join".formatted(name())));
    }
    ShardSync next = new ShardSync(topology, node.self());
    LOG.debug("{} installs {}, waits for {}", node.self(), topology, next);
    sync = next;
    hand(given);
    flow.retain(topology.id(), Set.copyOf(topology.members()));
    next.superseded(postponed.newest());
    next.lost(rollCall.lost(), Confirmation.pointless());
    if (next.isDone()) {
      return next.done();
    }
    ScheduledFuture<?> timeout =
        timer.schedule(
            () -> node.halt(new IllegalStateException(next + " after too long a time")),
            SYNC_TIMEOUT_MINUTES,
            TimeUnit.MINUTES);
    return next.done().whenComplete((done, failure) -> timeout.cancel(false));
  }

  private synchronized void hand(Given given) {
    Topology topology = given.topology();
    if (!lineage.mayInstall(given)) {
      return;
    }
    hasData = hasData(topology);
    lineage.installed(given);
    rollCall.installed(topology);
    node.install(topology);
    availability.installed(topology.members());
  }

  private boolean hasData(Topology topology) {
    return topology.shard(topology.top()).owners().contains(node.self());
  }

  /**
   * Infinispan's mode. While it is degraded the topologies are not handed on: owners that cannot be
   * reached are not gone, and a node that stops being an owner would drop what may be the last
   * copy. Not so those in which shards get another copy, which only a grid that is available makes:
   * whoever agrees to one must have got the copy. A node that comes back to find that others have
   * taken its place must not go on, since they have gone on without what it still holds.
   */
  void onAvailability(boolean available) {
    availability.degraded(!available);
    Given last = withheld;
    withheld = null;
    if (available && last != null) {
      if (hasData(last.topology())) {
        rollCall.given(last.topology()).thenRun(() -> hand(last));
      } else {
        expel("this node was cut off, the others have gone on");
      }
    }
  }

  private void expel(String how) {
    node.halt(new ExpelledException(how, expelled != null));
  }

  /**
   * Infinispan's new leader asks what this node has: {@link #answer}, when the stage is complete.
   *
   * @param raw what Infinispan would answer; null: nothing
   * @param present the nodes in the leader's view
   */
  synchronized CompletionStage<Void> onStatusAsked(
      int view, @Nullable CacheStatusResponse raw, Set<NodeId> present) {
    return lineage.asked(view, raw == null ? 0 : raw.getCacheTopology().getTopologyId(), present);
  }

  /** Null where the others have gone on without this node, which ends then. */
  @Nullable CacheStatusResponse answer(CacheStatusResponse raw) {
    CacheStatusResponse answer = lineage.answer(raw);
    if (answer == null && !leaving) {
      expel(LEFT_OUT);
    }
    return answer;
  }

  Lineage lineage() {
    return lineage;
  }

  void onNotice(NodeId source, TopologyNotice notice) {
    rollCall.heard(source, notice);
  }

  void onStateAck(NodeId source, StateAck ack) {
    flow.acknowledged(source, ack);
  }

  void onGreeting(NodeId source, Greeting greeting) {
    switch (greeting.kind()) {
      case MAY_I_JOIN -> {
        if (sync != null) {
          introduction.greet(source, Kind.WE_ARE);
        }
      }
      case WE_ARE -> introduction.answered(greeting);
      case MAY_I_GO -> {
        if (canDoWithout(source)) {
          introduction.greet(source, Kind.GO);
        }
      }
      case GO -> farewell.releasedBy(source);
    }
  }

  /** Whether Infinispan would go on as it is if that node were gone now. */
  private boolean canDoWithout(NodeId leaver) {
    return leaving || availability.isDegraded() || !cache.countsOn(leaver);
  }

  /**
   * Whom the channel sees from now on, this node included. The flush of a member that has left may
   * be missing for ever, and Infinispan must not be told that the shards are here, or there is no
   * next topology. Only of a member: after others there is none.
   */
  void onView(Set<NodeId> present) {
    // With one owner nothing is ever refused: see GridSettings.
    if (settings.owners() > 1) {
      availability.sees(present);
    }
    lineage.sees();
    rollCall.sees(present);
    Set<NodeId> lost = rollCall.lost();
    postponed.lost(lost);
    ShardSync waiting = sync;
    if (waiting != null) {
      waiting.lost(lost, Confirmation.pointless());
    }
  }

  // ---- what the node tells

  @Override
  public void ahead(long topology) {
    rollCall.ahead(topology);
    postponed.ahead(topology);
    ShardSync waiting = sync;
    if (waiting != null) {
      waiting.superseded(topology);
    }
  }

  @Override
  public void synced(long topology, int shard) {
    flow.synced(topology, shard);
    ShardSync waiting = sync;
    if (waiting != null) {
      waiting.synced(topology, shard);
    }
  }

  @Override
  public void leave() {
    synchronized (this) {
      leaving = true;
    }
    rollCall.leave();
    postponed.drop();
    ShardSync waiting = sync;
    if (waiting != null) {
      waiting.fail(Confirmation.pointless());
    }
    try {
      cache.stop();
      if (sync != null) {
        farewell.await(this::othersOfGrid, introduction::askToGo, cache::leaveAgain);
      }
      lineage.leave(transport.others());
      cache.remove();
    } finally {
      flow.retain(Long.MAX_VALUE, Set.of());
      transport.close();
      hosts.remove(cache.name());
      hasLeft.complete(null);
    }
  }

  private Set<NodeId> othersOfGrid() {
    Set<NodeId> others = transport.others();
    others.retainAll(node.topology().members());
    return others;
  }

  /** Leaves, so that the others can go on, on a thread that may block. */
  @Override
  public void failed(Throwable cause) {
    LOG.warn("{} leaves grid '{}': {}", node.self(), name(), cause.getMessage());
    if (cause instanceof ExpelledException) {
      String grid = "not a member of grid '%s': ".formatted(name());
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
