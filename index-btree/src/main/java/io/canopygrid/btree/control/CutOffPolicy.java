package io.canopygrid.btree.control;

import io.canopygrid.Placement;
import io.canopygrid.btree.control.Change.Merge;
import io.canopygrid.btree.control.Change.Move;
import io.canopygrid.btree.control.Change.Reason;
import io.canopygrid.btree.control.Change.Split;
import io.canopygrid.btree.load.SubtreeLoad;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides how the structure should change, from what all subtrees have and are used for. The next
 * few steps only: what follows is decided anew on what has become of them. Always the same for the
 * same input, but for two bits that it remembers. Confined to one thread.
 *
 * <p>The steps and why they do not undo each other:
 *
 * <ol>
 *   <li><em>Hot</em>: a subtree with more than 1/(2·nodes) of the load is cut where its load is cut
 *       evenly, into parts of about half of that; only what is together below an eighth of it is
 *       merged.
 *   <li><em>Few</em>: while an index has fewer subtrees than wanted, its largest are split, if they
 *       have more than the least that is worth it; merged is only above twice as many as wanted.
 *   <li><em>Spread</em>: once a node has more than {@value #UNEVEN} of the mean, subtrees move from
 *       the greatest to the least until it is {@value #EVEN}.
 *   <li><em>Near</em>, with {@link Placement#NEAR}: what a node's own callers use of what it has
 *       counts little in <em>spread</em>, and a subtree goes to the node whose callers use it most,
 *       until that one has the mean and a tenth of what a node would have if nobody's use were his
 *       own, or {@value #FULL} times the mean of all bytes. Who has more bytes gives some up.
 *   <li><em>Many</em>: neighbours that together fill less than half of a subtree and are cold are
 *       merged.
 * </ol>
 *
 * <p>Loads are counted for a few seconds, so they are off by chance, much so where little is used.
 * Nothing is cut or moved because of a difference that can be chance.
 */
public final class CutOffPolicy implements BalancePolicy {
  /** A node with so much of the mean is relieved. */
  static final double UNEVEN = 1.25;

  /** Down to so much. */
  static final double EVEN = 1.1;

  /** With less load per node, per second, only entries are balanced: the rest is noise. */
  static final double LOAD_LEAST = 20;

  /** Balanced by load, it stays so down to this part of that. */
  private static final double LOAD_KEPT = 0.5;

  /** What is so many standard deviations away is not taken for chance. */
  private static final double SURE = 2;

  /**
   * The same with {@link Placement#NEAR}, where a subtree's use by this and by that node is looked
   * at by itself: of many such numbers some are far off.
   */
  private static final double SURE_OF_MANY = 4;

  /** Most changes at a time. */
  static final int CHANGES_MAX = 8;

  /** A part of a hot subtree gets so much of what it may have. */
  private static final double PART = 0.6;

  private static final double COLD = 1.0 / 8;

  /** With more of the entries in subtrees of unknown use it is not known where the load is. */
  private static final double UNKNOWN_MOST = 0.25;

  /**
   * What a node's own callers do with what it has counts so much of what others do: asking another
   * node for it would cost this one more (docs/internals/performance.md).
   */
  static final double OWN_USE = 1.0 / 64;

  /** A node gets no more than so much of the mean of all bytes for being near. */
  static final double FULL = 3;

  /** A subtree is drawn to who uses it if that saves so much of its load. */
  private static final double DRAWN = 0.25;

  /** What a move must win at least, of the mean; less where many small ones add up. */
  private static final double WORTH = 0.02;

  /** What a move costs beside its entries, in entries. */
  private static final double COST_OF_ONE = 200;

  private final BalanceLimits limits;

  /** Whether it is relieving a node, and goes on until all is even. */
  private boolean spreading;

  /** Whether the load counts, not the entries: near the border it would be now this, now that. */
  private boolean byLoad;

  /** A policy within limits. */
  public CutOffPolicy(BalanceLimits limits) {
    this.limits = limits;
  }

  @Override
  public void reset() {
    spreading = false;
    byLoad = false;
  }

  @Override
  public List<Change> decide(GridLoad grid) {
    return new Round(grid).decide();
  }

  /** How many subtrees an index is to have at least. */
  private int wanted(GridLoad grid, int index) {
    return grid.nodes() * grid.cutOffs().getOrDefault(index, limits.subtreesPerNode());
  }

  /** One decision. */
  private final class Round {
    private final GridLoad grid;
    private final List<Change> changes = new ArrayList<>();
    private final Set<Long> changed = new HashSet<>();
    private final Map<Integer, List<PlacedSubtree>> byIndex = new LinkedHashMap<>();
    private final double load;
    private final boolean loaded;
    private final boolean near = limits.placement() == Placement.NEAR;
    private final double sure = near ? SURE_OF_MANY : SURE;
    private final Shares shares;
    private final Shares bytes;
    private final int nodes;

    Round(GridLoad grid) {
      this.grid = grid;
      for (PlacedSubtree subtree : grid.subtrees()) {
        byIndex.computeIfAbsent(subtree.index(), index -> new ArrayList<>()).add(subtree);
      }
      nodes = grid.nodes();
      load = grid.subtrees().stream().mapToDouble(s -> s.load().perSecond()).sum();
      loaded = load >= (byLoad ? LOAD_KEPT : 1) * LOAD_LEAST * nodes;
      byLoad = loaded;
      shares = new Shares(grid, this::share);
      bytes = new Shares(grid, (subtree, at) -> bytes(subtree));
    }

    /** Whether it has been watched for long enough, so that what it is used for means something. */
    private boolean isKnown(PlacedSubtree subtree) {
      return subtree.load().seenMillis() >= limits.intervalMillis() / 2;
    }

    /** What a subtree is of a node's share if it is there. */
    private double share(PlacedSubtree subtree, NodeId at) {
      if (loaded) {
        return subtree.weightAt(at, near ? OWN_USE : 1);
      }
      return near ? bytes(subtree) : subtree.entries();
    }

    private static double bytes(PlacedSubtree subtree) {
      return (double) subtree.load().bytes();
    }

    List<Change> decide() {
      if (nodes > 1) {
        cutHot();
        byIndex.forEach((index, subtrees) -> cutFew(index, subtrees));
        spread();
        draw();
        empty();
      }
      if (changes.isEmpty()) {
        byIndex.forEach((index, subtrees) -> mergeMany(index, subtrees));
      }
      return changes;
    }

    /** What one subtree may have of the load. */
    private double most() {
      return load / (2 * nodes);
    }

    private boolean isFull() {
      return changes.size() >= CHANGES_MAX;
    }

    private void add(Change change) {
      changes.add(change);
      changed.add(change.subtree().kcl());
    }

    // ---- hot

    private void cutHot() {
      if (!loaded) {
        return;
      }
      List<PlacedSubtree> hot =
          grid.subtrees().stream()
              .filter(s -> s.node() != null && isKnown(s))
              .filter(s -> s.entries() > 1 && isHot(s.load()))
              .sorted(Comparator.comparingDouble(s -> -s.load().perSecond()))
              .toList();
      for (PlacedSubtree subtree : hot) {
        if (!isFull()) {
          cut(subtree);
        }
      }
    }

    /** It has too much, and surely more than a part of it would get. */
    private boolean isHot(SubtreeLoad load) {
      double deviation = Math.sqrt(load.variance(limits.memorySeconds()));
      return load.perSecond() > most() && load.perSecond() - SURE * deviation > PART * most();
    }

    /** From the highest cut down: each time the upper end of what is left goes. */
    private void cut(PlacedSubtree subtree) {
      List<byte[]> cuts = subtree.load().cuts();
      int parts = (int) Math.ceil(subtree.load().perSecond() / (most() * PART));
      int wanted = Math.min(Math.min(parts - 1, cuts.size()), CHANGES_MAX - changes.size());
      int end = cuts.size();
      for (int cut = wanted; cut > 0; cut--) {
        int at = cuts.size() * cut / (wanted + 1);
        int shard = moveToLeast(subtree, (double) (end - at) / (cuts.size() + 1));
        long entries = subtree.entries() * (end - at) / (cuts.size() + 1);
        add(new Split(subtree, cuts.get(at), shard, Math.max(1, entries), Reason.HOT));
        end = at;
      }
    }

    /** Some part of a subtree goes where the least is then; the shard that it goes to. */
    private int moveToLeast(PlacedSubtree subtree, double part) {
      NodeId from = Invariant.present(subtree.node(), "a subtree that is cut is somewhere");
      NodeId to = bytes.least();
      double least = Double.POSITIVE_INFINITY;
      double heavy = part * bytes(subtree);
      for (NodeId node : shares.nodes()) {
        double then = shares.of(node) + part * share(subtree, node);
        if (then < least && hasRoom(node, node.equals(from) ? 0 : heavy)) {
          least = then;
          to = node;
        }
      }
      int shard = shares.shardAt(to);
      shares.move(subtree.shard(), part * share(subtree, from), shard, part * share(subtree, to));
      bytes.move(subtree.shard(), heavy, shard, heavy);
      return shard;
    }

    // ---- few

    private void cutFew(int index, List<PlacedSubtree> subtrees) {
      boolean fixed = grid.cutOffs().containsKey(index);
      long least = fixed ? 1 : limits.minSubtreeEntries();
      int missing = wanted(grid, index) - subtrees.size();
      List<PlacedSubtree> largest =
          subtrees.stream()
              .filter(s -> s.node() != null && s.entries() > least && !changed.contains(s.kcl()))
              .sorted(Comparator.comparingLong(s -> -s.entries()))
              .toList();
      for (PlacedSubtree subtree : largest) {
        if (missing <= 0 || isFull()) {
          return;
        }
        int shard = moveToLeast(subtree, 0.5);
        add(new Split(subtree, null, shard, subtree.entries() / 2, Reason.FEW));
        missing--;
      }
    }

    // ---- spread

    private void spread() {
      if (!isWorthSpreading()) {
        return;
      }
      double uneven = shares.of(shares.greatest());
      double chance = sure * deviation(shares.greatest());
      double even = bound(even());
      if (uneven <= (spreading ? even : bound(uneven())) || uneven - chance <= even) {
        spreading = false;
        return;
      }
      spreading = true;
      while (!isFull() && shares.of(shares.greatest()) > bound(even())) {
        Move best = best(shares.greatest());
        if (best == null) {
          return;
        }
        add(best);
      }
    }

    /**
     * What a node may have. Above the mean it is a part of what there is for a node whoever uses
     * it: where nearly all is near, what is left is little and its differences are nothing.
     */
    private double bound(double times) {
      return shares.mean() + (times - 1) * whole();
    }

    private double whole() {
      return (loaded ? load : shares.total()) / nodes;
    }

    private double even() {
      return near && !loaded ? FULL : EVEN;
    }

    private double uneven() {
      return near && !loaded ? FULL : UNEVEN;
    }

    /** By how much what a node has is off by chance. */
    private double deviation(NodeId node) {
      double variance = 0;
      for (PlacedSubtree subtree : grid.subtrees()) {
        if (loaded && node.equals(subtree.node())) {
          variance += subtree.load().variance(limits.memorySeconds());
        }
      }
      return Math.sqrt(variance);
    }

    private boolean isWorthSpreading() {
      long entries = 0;
      long unknown = 0;
      for (PlacedSubtree subtree : grid.subtrees()) {
        entries += subtree.entries();
        unknown += isKnown(subtree) ? 0 : subtree.entries();
      }
      return loaded
          ? unknown <= UNKNOWN_MOST * entries
          : entries > (long) nodes * limits.minSubtreeEntries();
    }

    /** What a move of one of a node's subtrees must win at least; many small ones add up. */
    private double worth(NodeId from) {
      long subtrees = grid.subtrees().stream().filter(s -> from.equals(s.node())).count();
      double tooMuch = shares.of(from) - bound(even());
      return Math.min(WORTH * whole(), tooMuch / subtrees / 2);
    }

    /** The move of a node's subtree that relieves most for what it costs, null: none does. */
    private @Nullable Move best(NodeId from) {
      PlacedSubtree best = null;
      NodeId target = shares.least();
      double bestWorth = 0;
      double least = worth(from);
      for (PlacedSubtree subtree : grid.subtrees()) {
        if (!from.equals(subtree.node()) || !isMovable(subtree)) {
          continue;
        }
        for (NodeId to : targets(subtree)) {
          double gap = shares.of(from) - shares.of(to);
          double relief = Math.min(share(subtree, from), gap - share(subtree, to));
          double worth = relief / (subtree.entries() + COST_OF_ONE);
          if (relief >= least && worth > bestWorth && hasRoom(to, bytes(subtree))) {
            best = subtree;
            target = to;
            bestWorth = worth;
          }
        }
      }
      return best == null ? null : moved(best, target, Reason.SPREAD);
    }

    private boolean isMovable(PlacedSubtree subtree) {
      return !changed.contains(subtree.kcl()) && (!loaded || isKnown(subtree));
    }

    private Move moved(PlacedSubtree subtree, NodeId to, Reason reason) {
      NodeId from = Invariant.present(subtree.node(), "what is moved is somewhere");
      int shard = shares.shardAt(to);
      shares.move(subtree.shard(), share(subtree, from), shard, share(subtree, to));
      double heavy = bytes(subtree);
      bytes.move(subtree.shard(), heavy, shard, heavy);
      return new Move(subtree, shard, subtree.entries(), reason);
    }

    /** The node that has least, and those that use the subtree. */
    private Set<NodeId> targets(PlacedSubtree subtree) {
      Set<NodeId> targets = new LinkedHashSet<>();
      targets.add(shares.least());
      if (near && loaded) {
        subtree.uses().keySet().stream().filter(shares.nodes()::contains).forEach(targets::add);
      }
      return targets;
    }

    /** Where data goes to who uses it, one node could get all of it. */
    private boolean hasRoom(NodeId to, double heavy) {
      return !near || bytes.of(to) + heavy <= FULL * bytes.mean();
    }

    // ---- near

    /** Subtrees go to the node whose callers use them most, as long as it has not too much. */
    private void draw() {
      if (!near || !loaded) {
        return;
      }
      for (PlacedSubtree subtree : grid.subtrees()) {
        NodeId from = subtree.node();
        NodeId to = user(subtree);
        if (from != null && to != null && !isFull() && isMovable(subtree)) {
          double saved = share(subtree, from) - share(subtree, to);
          double chance = sure * Math.sqrt(subtree.load().variance(limits.memorySeconds()));
          double then = shares.of(to) + share(subtree, to);
          boolean fits = then <= bound(EVEN) - saved / nodes && hasRoom(to, bytes(subtree));
          if (fits && saved > 0 && saved - chance >= DRAWN * subtree.load().perSecond()) {
            add(moved(subtree, to, Reason.NEAR));
          }
        }
      }
    }

    /** A node that has grown too full for being near gives up what it uses least. */
    private void empty() {
      while (near && !isFull() && bytes.of(bytes.greatest()) > FULL * bytes.mean()) {
        NodeId from = bytes.greatest();
        NodeId to = bytes.least();
        PlacedSubtree least = null;
        double leastLost = Double.POSITIVE_INFINITY;
        for (PlacedSubtree subtree : grid.subtrees()) {
          double lost = (share(subtree, to) - share(subtree, from)) / (1 + bytes(subtree));
          boolean helps = bytes.of(to) + bytes(subtree) < bytes.of(from);
          if (from.equals(subtree.node()) && isMovable(subtree) && helps && lost < leastLost) {
            least = subtree;
            leastLost = lost;
          }
        }
        if (least == null) {
          return;
        }
        add(moved(least, to, Reason.SPREAD));
      }
    }

    /** Who uses a subtree most; null: nobody's callers do. */
    private @Nullable NodeId user(PlacedSubtree subtree) {
      NodeId user = null;
      double most = 0;
      for (NodeId node : shares.nodes()) {
        double uses = subtree.uses().getOrDefault(node, 0.0);
        if (uses > most) {
          user = node;
          most = uses;
        }
      }
      return user;
    }

    // ---- many

    private void mergeMany(int index, List<PlacedSubtree> subtrees) {
      int tooMany = subtrees.size() - 2 * wanted(grid, index);
      int entriesMax = grid.entriesMax().getOrDefault(index, 0);
      for (int i = 0; i + 1 < subtrees.size() && tooMany > 0 && !isFull(); i++) {
        PlacedSubtree left = subtrees.get(i);
        PlacedSubtree right = subtrees.get(i + 1);
        if (isCold(left, right, entriesMax)) {
          boolean leftGoes = left.entries() <= right.entries();
          PlacedSubtree goes = leftGoes ? left : right;
          add(new Merge(goes, !leftGoes, goes.entries(), Reason.MANY));
          tooMany--;
          i++;
        }
      }
    }

    private boolean isCold(PlacedSubtree left, PlacedSubtree right, int entriesMax) {
      double both = left.load().perSecond() + right.load().perSecond();
      return left.node() != null
          && right.node() != null
          && isKnown(left)
          && isKnown(right)
          && left.entries() + right.entries() <= entriesMax / 2
          && (!loaded || both <= most() * COLD);
    }
  }
}
