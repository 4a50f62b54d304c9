package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException.Reason;
import io.canopygrid.gmu.infinispan.state.StateFlow;
import io.canopygrid.gmu.infinispan.transport.ForkTransport;
import io.canopygrid.gmu.infinispan.transport.TaskTimer;
import io.canopygrid.gmu.node.HostedNode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.infinispan.distribution.ch.ConsistentHash;
import org.infinispan.distribution.ch.impl.DefaultConsistentHash;
import org.infinispan.remoting.transport.Address;
import org.infinispan.topology.CacheStatusResponse;
import org.infinispan.topology.CacheTopology;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands each topology of Infinispan's to one node before Infinispan installs it, and holds
 * Infinispan back until the node has the shards that it joins.
 *
 * <p>Infinispan delivers topologies one after the other, in the order of their ids; it may skip
 * some. A topology that drops a member waits until its members agree on it ({@link
 * TopologyAgreement}), a topology that changes nothing or brings members may be deferred ({@link
 * DeferredInstall}), and a node whose side is cut off installs none. Thread-safe.
 */
final class TopologyInstaller {
  private static final Logger LOG = LoggerFactory.getLogger(TopologyInstaller.class);

  private static final long SYNC_LOOK_SECONDS = 10;

  /** Why a node with a disk ends where too few are left. */
  static final String TOO_FEW =
      "too few of its members are left: it is founded anew with those that come back";

  private static final String LEFT_OUT = "the other nodes have gone on without this one";

  private final GridSettings settings;
  private final GridCache cache;
  private final ForkTransport transport;
  private final ScheduledExecutorService timer;
  private final StateFlow flow;
  private final HostedNode node;
  private final Address address;
  private final Host host;

  private final TopologyRecovery recovery;
  private final TopologyAgreement agreement;
  private final Availability availability;
  private final DeferredInstall deferred;
  private final MemberLog memberLog;
  private final Beginning beginning;

  /** For the topology installed last; null: this node is no member yet. */
  private volatile @Nullable ShardSync sync;

  private final LatestTopology latest;

  /** No topology is installed any more; written by a thread that holds this object's monitor. */
  private volatile boolean stopped;

  /** Installed once the grid is available again. For Infinispan's events, one at a time. */
  private @Nullable ReceivedTopology withheld;

  /** Ends the node's membership, or its attempt to join. */
  interface Host {
    /** The others have gone on without this node, which has to stop. */
    void expel(String how);

    /** This node may serve from now on, or may not. */
    void available(boolean now);

    /** Notes why this node does not join. */
    JoinException refuse(Reason reason, String message);

    /** Ends the attempt to join: the nodes that were there have gone, and a new one can help. */
    void giveUp(String why);
  }

  TopologyInstaller(
      GridSettings settings,
      GridCache cache,
      ForkTransport transport,
      ScheduledExecutorService timer,
      StateFlow flow,
      HostedNode node,
      Address address,
      Host host) {
    this.settings = settings;
    this.cache = cache;
    this.transport = transport;
    this.timer = timer;
    this.flow = flow;
    this.node = node;
    this.address = address;
    this.host = host;
    TaskTimer tasks = TaskTimer.of(timer, node::enter);
    this.latest = new LatestTopology(node.self());
    this.deferred = new DeferredInstall(tasks);
    this.recovery =
        new TopologyRecovery(
            node.self(),
            (to, status) -> transport.send(to, ByteBuffer.wrap(status.encode())),
            tasks);
    this.agreement =
        new TopologyAgreement(
            node.self(), (to, notice) -> transport.send(to, ByteBuffer.wrap(notice.encode())));
    this.availability =
        new Availability(available -> {
          node.setAvailable(available);
          host.available(available);
        });
    this.beginning = new Beginning(settings, cache, transport, tasks, node, host::giveUp);
    this.memberLog =
        new MemberLog(
            settings.name(),
            node.self(),
            settings.owners(),
            member ->
                new MemberLog.Known(
                    transport.name(member), transport.address(member), transport.zone(member)));
  }

  /** Whether this node has been a member. */
  boolean hasInstalled() {
    return sync != null;
  }

  /** Whether the topology installed last counts on what this node has. */
  boolean hasData() {
    return latest.hasData();
  }

  /** Whether this node has its part, and nothing is moved. */
  boolean isComplete() {
    ShardSync last = sync;
    return last != null && last.isDone() && latest.hasData() && latest.isAtRest();
  }

  /** The shards that the node waits for, in words; null: it waits for none. */
  @Nullable String missing() {
    ShardSync waiting = sync;
    return waiting == null || waiting.isDone() ? null : waiting.toString();
  }

  Beginning beginning() {
    return beginning;
  }

  /** Whether this node founds, or has founded, a grid from disks, and does not leave it. */
  boolean goesOnFounding() {
    return beginning.isFounding() && !stopped;
  }

  Availability availability() {
    return availability;
  }

  /** Names the one listener that hears of the members when these change. It must not block. */
  void onMembers(Consumer<Map<NodeId, MemberLog.Known>> listener) {
    memberLog.onChange(listener);
  }

  /** Name and address of a member. */
  MemberLog.Known known(NodeId member) {
    return memberLog.known(member);
  }

  /** The members of the topology that was installed last; none before the first one. */
  Set<NodeId> members() {
    return recovery.members();
  }

  // ---- what Infinispan tells

  /**
   * Takes a topology that Infinispan installs when the stage returned is complete.
   *
   * <p>After a merge the topology that brings this node back, as a learner, can come before the
   * topology that is without it. Infinispan then makes one up in between, to forget what it had;
   * that counts too.
   */
  CompletionStage<Void> onTopology(int id, ConsistentHash read, ConsistentHash write) {
    return node.enter(() -> received(id, read, write), TopologyInstaller::halted);
  }

  /** The end of a wait that the node did not survive. */
  private static CompletionStage<Void> halted() {
    return CompletableFuture.failedFuture(PhaseConfirmation.pointless());
  }

  private CompletionStage<Void> received(int id, ConsistentHash read, ConsistentHash write) {
    CacheTopology current = cache.topology();
    if (latest.hasData() && !read.getMembers().contains(address)) {
      host.expel(LEFT_OUT);
      return current == null || current.getPhase() == CacheTopology.Phase.NO_REBALANCE
          ? CompletableFuture.completedFuture(null)
          // Infinispan must not hear that this node got what it was to get.
          : CompletableFuture.failedFuture(PhaseConfirmation.pointless());
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
      // A node that has just begun to lead, cut off or not, first hands out the state that it
      // knew, without the nodes that it misses, as available. Only then does Infinispan find out
      // whether it has
      // a majority, and another topology follows in any case.
      return CompletableFuture.completedFuture(null);
    }
    boolean joining = current.getPhase() == CacheTopology.Phase.READ_OLD_WRITE_ALL;
    Topology topology = TopologyMapping.map(id, members, read, write, joining);
    return onOwnTopology(new ReceivedTopology(topology, current), joining);
  }

  /** Takes a topology of which this node is no member: before it joins, or after its expulsion. */
  private CompletionStage<Void> onTopologyOfOthers(ConsistentHash read) {
    if (sync != null) {
      host.expel(LEFT_OUT);
      return CompletableFuture.completedFuture(null);
    }
    int owners = ((DefaultConsistentHash) read).getNumOwners();
    String misfit = HandshakeMessage.misfit(settings, read.getNumSegments(), owners);
    return misfit == null
        ? CompletableFuture.completedFuture(null)
        : CompletableFuture.failedFuture(host.refuse(Reason.SETTINGS_DIFFER, misfit));
  }

  private CompletionStage<Void> onOwnTopology(ReceivedTopology received, boolean joining) {
    Topology topology = received.topology();
    recovery.received(received);
    CompletionStage<Void> agreed = agreement.received(topology);
    deferred.drop();
    if (availability.isDegraded() && !joining) {
      withheld = received;
      return CompletableFuture.completedFuture(null);
    }
    withheld = null;
    Topology last = sync == null ? null : node.topology();
    boolean ends = received.isAtRest() && last != null && DeferredInstall.hasLearners(last);
    if (last != null && !ends && DeferredInstall.changesNothing(last, topology)) {
      latest.note(received);
      deferred.untilInstalled(topology, () -> install(received));
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> installed = new CompletableFuture<>();
    CompletionStage<Void> ready =
        beginning.holds(topology) ? agreed.thenCompose(done -> beginning.founding()) : agreed;
    Runnable install =
        () ->
            ready
                .thenCompose(done -> install(received))
                .whenComplete((synced, why) -> PhaseConfirmation.give(installed, why));
    if (last != null && DeferredInstall.bringsMembers(last, topology)) {
      deferred.untilNewcomerHas(
          topology,
          install,
          () -> PhaseConfirmation.give(installed, PhaseConfirmation.pointless()));
      deferred.lost(agreement.lost());
    } else {
      install.run();
    }
    return installed;
  }

  /** Two may be under way at a time where one was deferred; the older one is over then. */
  private CompletionStage<Void> install(ReceivedTopology received) {
    return node.enter(() -> installNow(received), TopologyInstaller::halted);
  }

  private synchronized CompletionStage<Void> installNow(ReceivedTopology received) {
    Topology topology = received.topology();
    if (stopped || !recovery.mayInstall(received)) {
      return CompletableFuture.failedFuture(PhaseConfirmation.pointless());
    }
    if (sync != null && node.topology().id() > topology.id()) {
      return CompletableFuture.completedFuture(null);
    }
    if (sync == null) {
      String objection = beginning.objection(topology);
      if (objection != null) {
        return CompletableFuture.failedFuture(host.refuse(Reason.LEFT_ALONE, objection));
      }
    }
    ShardSync next = new ShardSync(topology, node.self());
    LOG.debug("{} installs {}, waits for {}", node.self(), topology, next);
    sync = next;
    hand(received);
    flow.retain(topology.id(), Set.copyOf(topology.members()));
    next.superseded(deferred.newest());
    next.lost(agreement.lost(), PhaseConfirmation.pointless());
    if (next.isDone()) {
      return next.done();
    }
    Arrivals arrivals = new Arrivals(() -> node.counters().stateBytes(), System::nanoTime);
    ScheduledFuture<?> looks =
        timer.scheduleWithFixedDelay(
            () -> {
              if (arrivals.nanosWithout() >= Arrivals.NANOS_MAX) {
                node.halt(new IllegalStateException(next + ", of which nothing comes"));
              }
            },
            SYNC_LOOK_SECONDS,
            SYNC_LOOK_SECONDS,
            TimeUnit.SECONDS);
    return next.done().whenComplete((done, failure) -> looks.cancel(false));
  }

  private synchronized void hand(ReceivedTopology received) {
    Topology topology = received.topology();
    if (!recovery.mayInstall(received)) {
      return;
    }
    Invariant.holds(
        topology.members().contains(node.self()), "%s installs a topology of others", node.self());
    if (!node.mayInstall(topology)) {
      host.expel(TOO_FEW);
      return;
    }
    recovery.installed(received);
    agreement.installed(topology);
    node.install(topology);
    latest.note(received); // a join that is complete now has this topology
    availability.installed(topology.members());
    memberLog.installed(topology);
  }

  /**
   * Takes Infinispan's mode. While it is degraded the topologies are not handed on: owners that
   * cannot be reached are not gone, and a node that stops being an owner would drop its copy, which
   * may be the last one. Topologies in which shards get another copy are handed on, since only an
   * available grid makes them, and a node that agrees to one must have got the copy. A node that
   * comes back and finds that others have taken its place must not go on, since the others have
   * gone on without its data.
   */
  void onAvailability(boolean available) {
    node.enter(() -> isAvailable(available));
  }

  private void isAvailable(boolean available) {
    if (available == availability.isDegraded() && !stopped) {
      Set<NodeId> present = transport.others();
      present.add(node.self());
      memberLog.available(available, present);
    }
    availability.degraded(!available);
    ReceivedTopology last = withheld;
    withheld = null;
    if (available && last != null) {
      if (latest.hasData(last.topology())) {
        agreement.received(last.topology()).thenRun(() -> node.enter(() -> hand(last)));
      } else {
        host.expel("this node was cut off, the others have gone on");
      }
    }
  }

  /**
   * Infinispan's new leader asks what this node has: {@link #answer}, when the stage is complete.
   *
   * @param raw what Infinispan would answer; null: nothing
   * @param present the nodes in the leader's view
   */
  CompletionStage<Void> onStatusAsked(
      int view, @Nullable CacheStatusResponse raw, Set<NodeId> present) {
    int counted = raw == null ? 0 : raw.getCacheTopology().getTopologyId();
    return node.enter(
        () -> recoveryAsked(view, counted, present), () -> CompletableFuture.completedFuture(null));
  }

  private synchronized CompletionStage<Void> recoveryAsked(
      int view, int counted, Set<NodeId> present) {
    return recovery.asked(view, counted, present);
  }

  /** The answer; null where the others have gone on without this node, which ends then. */
  @Nullable CacheStatusResponse answer(CacheStatusResponse raw) {
    return node.enter(() -> statusAnswer(raw), () -> null);
  }

  private @Nullable CacheStatusResponse statusAnswer(CacheStatusResponse raw) {
    CacheStatusResponse answer = recovery.answer(raw);
    if (answer == null && !stopped) {
      host.expel(LEFT_OUT);
    }
    return answer;
  }

  // ---- what the other members tell

  /** A member asks to leave. */
  void leaves(NodeId source) {
    memberLog.leaves(source);
  }

  /** A member stops and will be back. */
  void stops(NodeId source) {
    memberLog.stops(source);
  }

  void onNotice(NodeId source, TopologyNotice notice) {
    agreement.heard(source, notice);
  }

  void onStatus(NodeId source, TopologyStatus status) {
    recovery.heard(source, status);
  }

  /**
   * The channel sees these nodes from now on, this node included. The flush of a member that has
   * left may be missing for ever, and Infinispan must not be told that the shards are here, or
   * there is no next topology. That goes for members only: after other nodes there is no next
   * topology.
   */
  void onView(Set<NodeId> present) {
    // With one owner nothing is ever refused: see GridSettings.
    if (settings.owners() > 1) {
      availability.sees(present);
    }
    recovery.sees();
    agreement.sees(present);
    beginning.sees(present, hasInstalled());
    Set<NodeId> lost = agreement.lost();
    deferred.lost(lost);
    ShardSync waiting = sync;
    if (waiting != null) {
      waiting.lost(lost, PhaseConfirmation.pointless());
    }
  }

  // ---- what the node tells

  /** Another member has installed this topology. */
  void ahead(long topology) {
    beginning.ahead(topology);
    agreement.ahead(topology);
    deferred.ahead(topology);
    ShardSync waiting = sync;
    if (waiting != null) {
      waiting.superseded(topology);
    }
  }

  /** This node's copy of a shard is complete. */
  void synced(long topology, int shard) {
    ShardSync waiting = sync;
    if (waiting != null) {
      waiting.synced(topology, shard);
    }
  }

  /** Installs no further topology, and ends every wait. */
  void stop() {
    synchronized (this) {
      stopped = true;
    }
    agreement.leave();
    deferred.drop();
    ShardSync waiting = sync;
    if (waiting != null) {
      waiting.fail(PhaseConfirmation.pointless());
    }
  }

  /** Tells the others that they need not wait for what this node has. */
  void leave() {
    recovery.leave(transport.others());
  }
}
