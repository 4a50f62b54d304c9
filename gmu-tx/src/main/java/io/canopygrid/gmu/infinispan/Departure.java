package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.infinispan.transport.ForkTransport;
import io.canopygrid.gmu.node.HostedNode;
import io.canopygrid.gmu.node.LeaveException;
import io.canopygrid.gmu.recovery.RecoveryDecision;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.infinispan.topology.CacheTopology;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a node leave when nothing goes with it. Before it leaves, it waits for its turn ({@link
 * LeaveTurns}), for the nodes that join, and until each shard has all its copies. So one copy less
 * loses nothing. After {@link GridSettings#leaveTimeoutMillis}, and when copies of shards do not
 * come any more, it leaves in any case, and where data may go with it, {@link #checkNothingLost}
 * throws. The last node of a grid, with nobody to hand over to, leaves at once: data is in memory
 * only. Thread-safe.
 */
final class Departure {
  private static final Logger LOG = LoggerFactory.getLogger(Departure.class);

  private static final long LOOK_MILLIS = 50;
  private static final long TELL_EVERY_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** The time for others to do without this node where nothing is to be handed over. */
  private static final long RELEASE_MILLIS_MIN = 5_000;

  private final GridSettings settings;
  private final boolean ownsChannel;
  private final GridCache cache;
  private final ForkTransport transport;
  private final HostedNode node;
  private final TopologyInstaller topologies;
  private final LeaveTurns turns;

  /** The nodes that have asked what the grid is like, but for the nodes that leave. */
  private final Set<NodeId> knocked = ConcurrentHashMap.newKeySet();

  // Guarded by this object.
  private final Arrivals copies;
  private boolean prepared;
  private boolean abandoned;
  private long deadlineNanos = System.nanoTime();
  private @Nullable String loss;

  /**
   * The departure of a node that is to join.
   *
   * @param ownsChannel whether every node of the channel is one of this grid, or will be
   */
  Departure(
      GridSettings settings,
      boolean ownsChannel,
      GridCache cache,
      ForkTransport transport,
      HostedNode node,
      TopologyInstaller topologies) {
    this.settings = settings;
    this.ownsChannel = ownsChannel;
    this.cache = cache;
    this.transport = transport;
    this.node = node;
    this.topologies = topologies;
    this.turns =
        new LeaveTurns(
            node.self(), (to, turn) -> transport.send(to, ByteBuffer.wrap(turn.encode())));
    this.copies = new Arrivals(() -> node.counters().stateBytes(), System::nanoTime);
  }

  void heard(NodeId from, LeaveTurn turn) {
    if (turn.asks()) {
      knocked.remove(from);
      topologies.leaves(from);
    }
    turns.heard(from, turn);
  }

  /** A node has asked what the grid is like: it will join. */
  void knocked(NodeId node) {
    knocked.add(node);
  }

  /** The nodes that have asked what the grid is like, members among them. */
  Set<NodeId> knocked() {
    return Set.copyOf(knocked);
  }

  /** Waits no longer. */
  synchronized void abandon() {
    abandoned = true;
    notifyAll();
  }

  synchronized boolean isAbandoned() {
    return abandoned;
  }

  /** Whether parts of copies have come to this node lately. */
  synchronized boolean copiesCome() {
    return copies.haveComeWithin(Arrivals.PATIENCE_NANOS);
  }

  /** Waits until nothing is lost when this node leaves, or for too long. Once; then it returns. */
  synchronized void prepare() {
    if (prepared) {
      return;
    }
    prepared = true;
    String left = await(this::obstacle);
    if (left != null) {
      timedOut(left);
    }
  }

  /**
   * Waits until the grid can go on without this node for ever; then {@link #prepare} has nothing to
   * wait for.
   *
   * @param isStored whether the nodes of the grid have disks, from which the others must be able to
   *     found it again
   * @throws LeaveException it cannot be so, or has not been in time: the node is a member as before
   */
  synchronized void prepareForGood(boolean isStored) {
    if (prepared) {
      return;
    }
    try {
      String left = await(() -> obstacleForGood(isStored));
      if (left != null) {
        throw refusal(left);
      }
    } catch (LeaveException e) {
      turns.giveUp();
      throw e;
    }
    prepared = true;
  }

  /**
   * Waits until there is no obstacle, for a bounded time.
   *
   * @return the last one; null: there is none, or nobody waits any longer
   */
  private @Nullable String await(Supplier<@Nullable String> obstacles) {
    copies.begin();
    long now = System.nanoTime();
    deadlineNanos = now + TimeUnit.MILLISECONDS.toNanos(settings.leaveTimeoutMillis());
    long tellNanos = now + TELL_EVERY_NANOS;
    try {
      while (!abandoned && topologies.hasData()) {
        String obstacle = obstacles.get();
        if (obstacle == null || (System.nanoTime() - deadlineNanos >= 0 && !copiesCome())) {
          return obstacle;
        }
        if (System.nanoTime() - tellNanos >= 0) {
          LOG.warn("{} waits to leave grid '{}': {}", node.self(), settings.name(), obstacle);
          tellNanos = System.nanoTime() + TELL_EVERY_NANOS;
        }
        wait(LOOK_MILLIS);
      }
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  /**
   * As {@link #obstacle}, for a node that will not come back.
   *
   * @throws LeaveException there is one that does not go away by itself
   */
  private @Nullable String obstacleForGood(boolean isStored) {
    Topology topology = node.topology();
    Set<NodeId> others = transport.others();
    others.retainAll(topology.members());
    if (others.isEmpty()) {
      throw refusal("no other member is there, and the data would end with it");
    }
    String obstacle = obstacle();
    int failuresAtOnce = settings.node().protocol().failuresAtOnce();
    if (obstacle == null
        && isStored
        && !RecoveryDecision.mayGoOn(topology, others, failuresAtOnce)) {
      throw refusal(
          "the members that stay are too few to go on without it, let another node join first");
    }
    return obstacle;
  }

  private LeaveException refusal(String why) {
    return new LeaveException(
        String.format(Locale.ROOT, "%s stays in grid '%s': %s", node.self(), settings.name(), why));
  }

  /** Why this node cannot leave yet, in words; null: it can. */
  private @Nullable String obstacle() {
    Topology topology = node.topology();
    Set<NodeId> others = transport.others();
    Set<NodeId> members = new HashSet<>(topology.members());
    Set<NodeId> joining = joining(others, members);
    others.retainAll(members);
    if (others.isEmpty() && joining.isEmpty()) {
      LOG.warn(
          members.size() == 1
              ? "{} is the last node of grid '{}': the grid's data ends with it"
              : "{} leaves grid '{}', no other member can be reached: what only it has ends with it",
          node.self(),
          settings.name());
      return null;
    }
    if (!joining.isEmpty()) {
      return "nodes are joining or leaving: " + joining;
    }
    if (!turns.take(others)) {
      return "another node leaves first, or does not answer: " + turns.missing(others);
    }
    members.remove(node.self());
    members.removeAll(others);
    if (!members.isEmpty()) {
      return "members were lost: " + members;
    }
    return missingCopies(topology);
  }

  private Set<NodeId> joining(Set<NodeId> others, Set<NodeId> members) {
    Set<NodeId> joining = new HashSet<>(others);
    knocked.removeAll(members);
    if (!ownsChannel) {
      joining.retainAll(knocked);
    }
    joining.removeAll(members);
    return joining;
  }

  /**
   * Why copies are missing, in words; null: none is. Infinispan's rebalance is at its end only when
   * each member has its copies.
   */
  private @Nullable String missingCopies(Topology topology) {
    CacheTopology newest = cache.topology();
    if (newest == null
        || !new Copies(newest).areAtRest(topology.members())
        || DeferredInstall.hasLearners(topology)
        || !node.isSettled()) {
      return "copies of shards move";
    }
    int copies = Math.min(settings.owners(), topology.members().size());
    long few = new Copies(newest).fewerThan(copies);
    if (few > 0) {
      return few + " shards have fewer than " + copies + " copies";
    }
    long last = lastCopies(newest, Set.copyOf(topology.members()));
    return last == 0 ? null : last + " shards have their only copy here";
  }

  private long lastCopies(CacheTopology topology, Set<NodeId> present) {
    return new Copies(topology).lastAt(node.self(), present);
  }

  private void timedOut(String obstacle) {
    CacheTopology newest = cache.topology();
    long last = newest == null ? 0 : lastCopies(newest, transport.others());
    loss =
        String.format(
            Locale.ROOT,
            "%s leaves grid '%s' before it could hand over, %d shards had their last copy here: %s",
            node.self(),
            settings.name(),
            last,
            obstacle);
  }

  /** The time that the others may take to do without this node. */
  synchronized long releaseMillis() {
    long left = abandoned ? 0 : deadlineNanos - System.nanoTime();
    return Math.max(RELEASE_MILLIS_MIN, TimeUnit.NANOSECONDS.toMillis(left));
  }

  /**
   * This node waits no longer for the others to make the copies that it had.
   *
   * @param lost the members that were lost meanwhile
   * @param unreleased those that have not said that they can do without this node
   */
  synchronized void ended(Set<NodeId> lost, Set<NodeId> unreleased) {
    if (loss != null) {
      return;
    }
    if (!lost.isEmpty()) {
      loss =
          String.format(
              Locale.ROOT,
              "%s left grid '%s' while other members were lost: %s",
              node.self(),
              settings.name(),
              lost);
    } else if (!unreleased.isEmpty()) {
      loss =
          String.format(
              Locale.ROOT,
              "%s left grid '%s' before others had made the copies that it had: %s",
              node.self(),
              settings.name(),
              unreleased);
    }
  }

  /** Whether {@link #checkNothingLost} would return. */
  synchronized boolean lostNothing() {
    return loss == null || abandoned;
  }

  /**
   * Returns where all data was handed over, or nobody was there, or the node was told to abandon.
   *
   * @throws LeaveException otherwise
   */
  synchronized void checkNothingLost() {
    if (!lostNothing()) {
      throw new LeaveException(String.valueOf(loss));
    }
  }
}
