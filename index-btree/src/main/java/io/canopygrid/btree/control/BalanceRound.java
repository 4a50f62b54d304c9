package io.canopygrid.btree.control;

import io.canopygrid.Placement;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One decision in the making: the grid, the changes decided so far, and how much each node has once
 * these are carried out. Confined to one thread.
 */
final class BalanceRound {
  /** Most changes at a time. */
  private static final int CHANGES_MAX = 8;

  /** With less load per node, per second, only entries are balanced: the rest is noise. */
  private static final double LOAD_LEAST = 20;

  /** Balanced by load, the grid stays so down to this part of that. */
  private static final double LOAD_KEPT = 0.5;

  /** A difference of so many standard deviations is not taken for chance. */
  static final double SURE = 2;

  /**
   * The same with {@link Placement#NEAR}, where a subtree's use by this and by that node is looked
   * at by itself: of many such numbers some are far off.
   */
  private static final double SURE_OF_MANY = 4;

  /**
   * A use by callers in the subtree's own node counts so much of a use by others: asking another
   * node for it would cost this node more (docs/internals/performance.md).
   */
  private static final double OWN_USE = 1.0 / 64;

  /** A node gets no more than so much of the mean of all bytes for being near. */
  static final double FULL = 3;

  private final GridLoad grid;
  private final BalanceLimits limits;
  private final List<PlannedChange> changes = new ArrayList<>();
  private final Set<Long> changed = new HashSet<>();
  private final int nodes;
  private final double load;
  private final boolean loaded;
  private final boolean near;
  private final Shares shares;
  private final Shares bytes;

  /**
   * A decision on a grid.
   *
   * @param byLoad whether the one before was by load
   */
  BalanceRound(GridLoad grid, BalanceLimits limits, boolean byLoad) {
    this.grid = grid;
    this.limits = limits;
    this.nodes = grid.nodes();
    this.near = limits.placement() == Placement.NEAR;
    this.load = grid.subtrees().stream().mapToDouble(s -> s.load().perSecond()).sum();
    this.loaded = load >= (byLoad ? LOAD_KEPT : 1) * LOAD_LEAST * nodes;
    this.shares = new Shares(grid.primaries(), grid.subtrees(), this::share);
    this.bytes = new Shares(grid.primaries(), grid.subtrees(), (subtree, at) -> bytes(subtree));
  }

  GridLoad grid() {
    return grid;
  }

  BalanceLimits limits() {
    return limits;
  }

  /** The number of nodes that are the primary of a shard and have told their load. */
  int nodes() {
    return nodes;
  }

  /** The load of all subtrees, per second. */
  double load() {
    return load;
  }

  /** Whether the load counts, not the entries. */
  boolean isLoaded() {
    return loaded;
  }

  /** Whether subtrees are to be near their users. */
  boolean isNear() {
    return near;
  }

  /** So many standard deviations are not taken for chance. */
  double sure() {
    return near ? SURE_OF_MANY : SURE;
  }

  /** The shares that are balanced between the nodes: of load or of entries. */
  Shares shares() {
    return shares;
  }

  /** The bytes that each node has. */
  Shares byteShares() {
    return bytes;
  }

  /** The changes decided so far. */
  List<PlannedChange> changes() {
    return changes;
  }

  /** The number of further changes that there may be. */
  int changesLeft() {
    return CHANGES_MAX - changes.size();
  }

  boolean isFull() {
    return changes.size() >= CHANGES_MAX;
  }

  boolean isChanged(PlacedSubtree subtree) {
    return changed.contains(subtree.kcl());
  }

  void add(PlannedChange change) {
    Invariant.holds(!isFull(), "a round has at most %s changes", CHANGES_MAX);
    changes.add(change);
    changed.add(change.subtree().kcl());
  }

  /** The number of subtrees that an index is to have at least. */
  int wanted(int index) {
    return (nodes + grid.silent()) * grid.cutOffs().getOrDefault(index, limits.subtreesPerNode());
  }

  /**
   * Whether a subtree has been watched for long enough, so that what is counted means something.
   */
  boolean isKnown(PlacedSubtree subtree) {
    return subtree.load().seenMillis() >= limits.intervalMillis() / 2;
  }

  /** The part that a subtree has in a node's share if it is there. */
  double share(PlacedSubtree subtree, NodeId at) {
    if (loaded) {
      return subtree.weightAt(at, near ? OWN_USE : 1);
    }
    return near ? bytes(subtree) : subtree.entries();
  }

  static double bytes(PlacedSubtree subtree) {
    return (double) subtree.load().bytes();
  }

  /** The most that one subtree may have of the load. */
  double most() {
    return load / (2 * nodes);
  }

  /**
   * Whether a node can take so many bytes. Data that goes to its users could all go to one node.
   */
  boolean hasRoom(NodeId to, double heavy) {
    return !near || bytes.of(to) + heavy <= FULL * bytes.mean();
  }

  /** Notes that a part of a subtree goes to a shard, and how much each node has then. */
  void carry(PlacedSubtree subtree, double part, int shard, NodeId to) {
    NodeId from = Invariant.present(subtree.node(), "a subtree that is changed is somewhere");
    shares.move(subtree.shard(), part * share(subtree, from), shard, part * share(subtree, to));
    double heavy = part * bytes(subtree);
    bytes.move(subtree.shard(), heavy, shard, heavy);
  }
}
