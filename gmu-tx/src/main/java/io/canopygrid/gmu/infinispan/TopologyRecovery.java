package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.infinispan.transport.TaskTimer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.infinispan.partitionhandling.AvailabilityMode;
import org.infinispan.topology.CacheStatusResponse;
import org.infinispan.topology.CacheTopology;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes Infinispan go on from the side of a cut that has gone furthest.
 *
 * <p>A new leader, after a merge above all, asks every node for its placement and goes on with the
 * available placement of the highest id, or with the highest of all where every side is degraded.
 * An id says little: a node counts while it is alone, and a node that slept is available by what it
 * knows. Its placement names owners that may have missed commits; Infinispan would take it all the
 * same, and those commits would be lost.
 *
 * <p>So before a node answers it tells the others its {@link TopologyStatus} and hears theirs. A
 * node that was left out by a later topology has missed what was done in it, and answers that it
 * has nothing. The others answer with ids in the order of their ranks, above all that were counted.
 * A topology that drops a member is installed only when all its members have received it ({@link
 * TopologyAgreement}), and served in only when all have installed it: so as long as one of them is
 * there the answer counts. A node that has answered installs no earlier topology that drops a
 * member, as the others may have gone on by its answer. Thread-safe.
 */
final class TopologyRecovery {
  private static final Logger LOG = LoggerFactory.getLogger(TopologyRecovery.class);

  /** A silent node that was never a member is taken for a node without this grid after so long. */
  static final long STRANGER_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The same for a node that was a member once. Infinispan's leader waits a little longer. */
  static final long MEMBER_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** Former members that are remembered: more than are in one view. */
  static final int MEMBERS_MAX = 1_000;

  private static final TopologyStatus NOWHERE = new TopologyStatus(-1, 0, false, 0, List.of());

  /** The status of a node that has left: it has nothing, in every view to come. */
  private static final TopologyStatus GONE =
      new TopologyStatus(Integer.MAX_VALUE, 0, false, 0, List.of());

  private final NodeId self;
  private final BiConsumer<NodeId, TopologyStatus> send;
  private final TaskTimer timer;

  // Guarded by this object.
  private @Nullable ReceivedTopology installed;
  private boolean drops;

  /** The topology installed last that lacks a member of the one before. */
  private @Nullable ReceivedTopology lastDrop;

  /** The id of the topology received last. */
  private long received;

  /** No topology up to this id is installed any more if it drops a member. */
  private long promised;

  /** All members of the topologies that were installed here, the oldest first. */
  private final Set<NodeId> members = new LinkedHashSet<>();

  /** The status of the nodes that have been asked in this view or a later one. */
  private final Map<NodeId, TopologyStatus> heard = new HashMap<>();

  private TopologyStatus own = NOWHERE;
  private Set<NodeId> awaited = Set.of();
  private boolean awaitsStrangers;
  private CompletableFuture<Void> complete = CompletableFuture.completedFuture(null);

  TopologyRecovery(NodeId self, BiConsumer<NodeId, TopologyStatus> send, TaskTimer timer) {
    this.self = self;
    this.send = send;
    this.timer = timer;
  }

  /** This node has received a topology from Infinispan. */
  synchronized void received(ReceivedTopology next) {
    received = next.topology().id();
  }

  /** Whether this node has not promised to do without a topology. */
  synchronized boolean mayInstall(ReceivedTopology next) {
    return next.topology().id() > promised || !next.drops(installed);
  }

  synchronized void installed(ReceivedTopology next) {
    Invariant.holds(mayInstall(next), "%s installs what it has promised to do without", self);
    drops = next.drops(installed);
    if (drops) {
      lastDrop = next;
    }
    installed = next;
    // A node had left this grid, and is back under the same address.
    next.topology().members().forEach(node -> heard.remove(node, GONE));
    members.removeAll(next.topology().members());
    members.addAll(next.topology().members());
    Iterator<NodeId> oldest = members.iterator();
    while (members.size() > MEMBERS_MAX) {
      oldest.next();
      oldest.remove();
    }
  }

  /** The members of the topology that was installed last; none before the first one. */
  synchronized Set<NodeId> members() {
    return installed == null ? Set.of() : Set.copyOf(installed.topology().members());
  }

  /**
   * The leader of a view asks: this node promises, and tells the others its status.
   *
   * @param counted Infinispan's newest topology, 0: none
   * @param present all nodes in the view
   * @return completes when the others have told their status, or have had the time
   */
  CompletionStage<Void> asked(int view, int counted, Set<NodeId> present) {
    TopologyStatus status;
    Set<NodeId> to;
    CompletableFuture<Void> before;
    CompletableFuture<Void> told = new CompletableFuture<>();
    synchronized (this) {
      promised = Math.max(received, counted);
      ReceivedTopology last = installed;
      status =
          last == null
              ? new TopologyStatus(view, 0, false, counted, List.of())
              : new TopologyStatus(
                  view, last.topology().id(), drops, counted, last.topology().members());
      own = status;
      Set<NodeId> others = new HashSet<>(present);
      others.remove(self);
      awaited = Set.copyOf(others);
      awaitsStrangers = true;
      to = awaited;
      heard.keySet().retainAll(present);
      heard.values().removeIf(any -> any.view() < view);
      before = complete;
      complete = told;
    }
    before.complete(null);
    to.forEach(node -> send.accept(node, status));
    timer.run(() -> giveUpStrangers(told), STRANGER_NANOS);
    timer.run(() -> told.complete(null), MEMBER_NANOS);
    completeIfAll();
    return told;
  }

  /** Takes in the status of another node. */
  void heard(NodeId from, TopologyStatus status) {
    synchronized (this) {
      heard.merge(from, status, (one, other) -> one.view() > other.view() ? one : other);
    }
    completeIfAll();
  }

  /** The channel has another view: some nodes may not have been there when they were told. */
  void sees() {
    TopologyStatus again;
    Set<NodeId> to;
    synchronized (this) {
      again = own;
      to = awaited;
    }
    to.forEach(node -> send.accept(node, again));
  }

  /** Tells the others that this node leaves, so that they do not wait for what it has. */
  void leave(Set<NodeId> others) {
    others.forEach(node -> send.accept(node, GONE));
  }

  private void giveUpStrangers(CompletableFuture<Void> told) {
    synchronized (this) {
      if (!told.isDone()) {
        awaitsStrangers = false;
      }
    }
    completeIfAll();
  }

  private void completeIfAll() {
    CompletableFuture<Void> done;
    synchronized (this) {
      if (awaited.stream().anyMatch(this::isAwaited)) {
        return;
      }
      done = complete;
    }
    done.complete(null);
  }

  private boolean isAwaited(NodeId node) {
    return heardOf(node) == null && (awaitsStrangers || members.contains(node));
  }

  private @Nullable TopologyStatus heardOf(NodeId node) {
    TopologyStatus status = heard.get(node);
    return status == null || status.view() < own.view() ? null : status;
  }

  /**
   * The answer of this node.
   *
   * @param raw the answer that Infinispan would give
   * @return null: none, as the others have gone on without this node
   */
  synchronized @Nullable CacheStatusResponse answer(CacheStatusResponse raw) {
    Map<NodeId, TopologyStatus> present = new HashMap<>();
    present.put(self, own);
    awaited.forEach(node -> present.put(node, heard.getOrDefault(node, NOWHERE)));
    LOG.debug("{} answers as {} among {}", self, own, present);
    int counted = present.values().stream().mapToInt(TopologyStatus::counted).max().orElse(0);
    List<TopologyStatus> all = List.copyOf(present.values());
    present.entrySet().removeIf(node -> isLeftOut(node.getKey(), node.getValue(), all));
    if (!present.containsKey(self)) {
      return null;
    }
    long behind = present.values().stream().filter(any -> isBefore(any, own)).distinct().count();
    boolean isNewest = present.values().stream().noneMatch(any -> any.rank() > own.rank());
    return new CacheStatusResponse(
        raw.getCacheJoinInfo(),
        ReceivedTopology.dataOwners(source(raw.getCacheTopology()), counted + 1 + (int) behind),
        stable(raw.getStableTopology()),
        isNewest ? raw.getAvailabilityMode() : AvailabilityMode.DEGRADED_MODE,
        raw.joinedMembers());
  }

  private static boolean isLeftOut(NodeId node, TopologyStatus status, List<TopologyStatus> all) {
    return all.stream().anyMatch(other -> other.isWithout(node, status));
  }

  private static boolean isBefore(TopologyStatus one, TopologyStatus other) {
    return one.rank() != other.rank() ? one.rank() < other.rank() : one.counted() < other.counted();
  }

  /** A topology that lacks an owner and was not agreed on counts for nothing. */
  private CacheTopology source(CacheTopology newest) {
    ReceivedTopology last = installed;
    return last == null || last.isKeptBy(newest) ? newest : last.source();
  }

  /**
   * The topology by which majorities and lost data are counted. Infinispan takes the last one in
   * which nothing moved, and its owners may have been dropped since. No owner is added, as another
   * leader may still count by the former topology.
   */
  private CacheTopology stable(CacheTopology former) {
    ReceivedTopology drop = lastDrop;
    if (drop == null || drop.topology().id() <= former.getTopologyId()) {
      return former;
    }
    CacheTopology settled = drop.withoutRebalance();
    return former.getMembers().containsAll(settled.getMembers()) ? settled : former;
  }
}
