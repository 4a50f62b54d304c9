package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
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
 * Sees to it that Infinispan goes on from the side that has gone furthest.
 *
 * <p>A new leader, after a merge above all, asks every node for its placement and goes on with the
 * available one with the highest id, or with the highest of all where every side is degraded. An id
 * says little: a node counts while it is alone, and one that slept is available by what it knows.
 * Its placement names owners that may have missed commits; Infinispan would take it all the same,
 * and those would be lost.
 *
 * <p>So before a node answers it tells the others where it stands and hears where they do. Whoever
 * was left out by a later topology has missed what was done in it, and answers that it has nothing;
 * the others answer with ids in the order in which they stand, above all that were counted. A
 * topology that drops a member is installed only when all its members were given it ({@link
 * RollCall}), and served in only when all have installed it: so as long as one of them is there the
 * answer counts. A node that has answered installs no earlier topology that drops a member, as the
 * others may have gone on by its answer. Thread-safe.
 */
final class Lineage {
  private static final Logger LOG = LoggerFactory.getLogger(Lineage.class);

  /** Who says nothing for so long is taken for a node without this grid, */
  static final long STRANGER_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** or after this time, if it was a member once. Infinispan's leader waits a little longer. */
  static final long MEMBER_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** So many former members are remembered: more than are in one view. */
  static final int MEMBERS_MAX = 1_000;

  private static final Standing NOWHERE = new Standing(-1, 0, false, 0, List.of());

  /** Says for all times to come that a node has nothing. */
  private static final Standing GONE = new Standing(Integer.MAX_VALUE, 0, false, 0, List.of());

  private final NodeId self;
  private final BiConsumer<NodeId, Standing> send;
  private final StateFlow.Later later;

  // Guarded by this object.
  private @Nullable Given installed;
  private boolean drops;

  /** The last one installed that lacks a member of the one before. */
  private @Nullable Given lastDrop;

  private long given;

  /** No topology up to this one is installed any more if it drops a member. */
  private long promised;

  /** Who was a member of a topology that was installed here, the oldest first. */
  private final Set<NodeId> members = new LinkedHashSet<>();

  /** Of the nodes that have been asked in this view or a later one. */
  private final Map<NodeId, Standing> heard = new HashMap<>();

  private Standing own = NOWHERE;
  private Set<NodeId> awaited = Set.of();
  private boolean awaitsStrangers;
  private CompletableFuture<Void> complete = CompletableFuture.completedFuture(null);

  Lineage(NodeId self, BiConsumer<NodeId, Standing> send, StateFlow.Later later) {
    this.self = self;
    this.send = send;
    this.later = later;
  }

  /** Infinispan has given this node a topology. */
  synchronized void given(Given next) {
    given = next.topology().id();
  }

  /** Whether this node has not promised to do without. */
  synchronized boolean mayInstall(Given next) {
    return next.topology().id() > promised || !next.drops(installed);
  }

  synchronized void installed(Given next) {
    drops = next.drops(installed);
    if (drops) {
      lastDrop = next;
    }
    installed = next;
    // Who had left this grid, and is back under the same address.
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
  synchronized Set<NodeId> grid() {
    return installed == null ? Set.of() : Set.copyOf(installed.topology().members());
  }

  /**
   * The leader of a view asks. Promises, and tells the others.
   *
   * @param counted Infinispan's newest topology, 0: none
   * @param present all nodes in the view
   * @return completes when the others have told it, or have had the time
   */
  CompletionStage<Void> asked(int view, int counted, Set<NodeId> present) {
    Standing standing;
    Set<NodeId> to;
    CompletableFuture<Void> before;
    CompletableFuture<Void> told = new CompletableFuture<>();
    synchronized (this) {
      promised = Math.max(given, counted);
      Given last = installed;
      standing =
          last == null
              ? new Standing(view, 0, false, counted, List.of())
              : new Standing(view, last.topology().id(), drops, counted, last.topology().members());
      own = standing;
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
    to.forEach(node -> send.accept(node, standing));
    later.run(() -> giveUpStrangers(told), STRANGER_NANOS);
    later.run(() -> told.complete(null), MEMBER_NANOS);
    completeIfAll();
    return told;
  }

  /** Where another node stands. */
  void heard(NodeId from, Standing standing) {
    synchronized (this) {
      heard.merge(from, standing, (one, other) -> one.view() > other.view() ? one : other);
    }
    completeIfAll();
  }

  /** The channel sees others from now on: some may not have been there when they were told. */
  void sees() {
    Standing again;
    Set<NodeId> to;
    synchronized (this) {
      again = own;
      to = awaited;
    }
    to.forEach(node -> send.accept(node, again));
  }

  /** This node is leaving: nobody need wait for what it has. */
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

  private @Nullable Standing heardOf(NodeId node) {
    Standing standing = heard.get(node);
    return standing == null || standing.view() < own.view() ? null : standing;
  }

  /**
   * What this node answers.
   *
   * @param raw what Infinispan would
   * @return null: nothing, as the others have gone on without it
   */
  synchronized @Nullable CacheStatusResponse answer(CacheStatusResponse raw) {
    Map<NodeId, Standing> present = new HashMap<>();
    present.put(self, own);
    awaited.forEach(node -> present.put(node, heard.getOrDefault(node, NOWHERE)));
    LOG.debug("{} answers as {} among {}", self, own, present);
    int counted = present.values().stream().mapToInt(Standing::counted).max().orElse(0);
    List<Standing> all = List.copyOf(present.values());
    present.entrySet().removeIf(node -> isLeftOut(node.getKey(), node.getValue(), all));
    if (!present.containsKey(self)) {
      return null;
    }
    long behind = present.values().stream().filter(any -> isBefore(any, own)).distinct().count();
    boolean isNewest = present.values().stream().noneMatch(any -> any.rank() > own.rank());
    return new CacheStatusResponse(
        raw.getCacheJoinInfo(),
        Given.holders(source(raw.getCacheTopology()), counted + 1 + (int) behind),
        stable(raw.getStableTopology()),
        isNewest ? raw.getAvailabilityMode() : AvailabilityMode.DEGRADED_MODE,
        raw.joinedMembers());
  }

  private static boolean isLeftOut(NodeId node, Standing standing, List<Standing> all) {
    return all.stream().anyMatch(other -> other.isWithout(node, standing));
  }

  private static boolean isBefore(Standing one, Standing other) {
    return one.rank() != other.rank() ? one.rank() < other.rank() : one.counted() < other.counted();
  }

  /** One that lacks an owner and was not agreed on counts for nothing. */
  private CacheTopology source(CacheTopology newest) {
    Given last = installed;
    return last == null || last.isKeptBy(newest) ? newest : last.source();
  }

  /**
   * What majorities and lost data are counted by: Infinispan takes what all had when nothing moved
   * the last time, and that may be owners that have been dropped since. Nobody is added, as another
   * leader may still count by the former.
   */
  private CacheTopology stable(CacheTopology former) {
    Given drop = lastDrop;
    if (drop == null || drop.topology().id() <= former.getTopologyId()) {
      return former;
    }
    CacheTopology settled = drop.settled();
    return former.getMembers().containsAll(settled.getMembers()) ? settled : former;
  }
}
