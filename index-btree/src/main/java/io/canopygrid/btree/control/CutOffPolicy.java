package io.canopygrid.btree.control;

import io.canopygrid.btree.control.Change.Merge;
import io.canopygrid.btree.control.Change.Move;
import io.canopygrid.btree.control.Change.Reason;
import io.canopygrid.btree.control.Change.Split;
import io.canopygrid.btree.load.SubtreeLoad;
import io.canopygrid.gmu.NodeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
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

  /** Most changes at a time. */
  static final int CHANGES_MAX = 8;

  /** A part of a hot subtree gets so much of what it may have. */
  private static final double PART = 0.6;

  private static final double COLD = 1.0 / 8;

  /** With more of the entries in subtrees of unknown use it is not known where the load is. */
  private static final double UNKNOWN_MOST = 0.25;

  /** What a move must win at least, of the mean. */
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
    private final Shares shares;
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
    }

    /** Whether it has been watched for long enough, so that what it is used for means something. */
    private boolean isKnown(PlacedSubtree subtree) {
      return subtree.load().seenMillis() >= limits.intervalMillis() / 2;
    }

    private double share(PlacedSubtree subtree) {
      return loaded ? subtree.load().perSecond() : subtree.entries();
    }

    List<Change> decide() {
      if (nodes > 1) {
        cutHot();
        byIndex.forEach((index, subtrees) -> cutFew(index, subtrees));
        spread();
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
      double part = subtree.load().perSecond() / (cuts.size() + 1);
      int end = cuts.size();
      for (int cut = wanted; cut > 0; cut--) {
        int at = cuts.size() * cut / (wanted + 1);
        int shard = shares.shardAt(shares.least());
        shares.move(subtree.shard(), shard, part * (end - at));
        long entries = subtree.entries() * (end - at) / (cuts.size() + 1);
        add(new Split(subtree, cuts.get(at), shard, Math.max(1, entries), Reason.HOT));
        end = at;
      }
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
        int shard = shares.shardAt(shares.least());
        shares.move(subtree.shard(), shard, share(subtree) / 2);
        add(new Split(subtree, null, shard, subtree.entries() / 2, Reason.FEW));
        missing--;
      }
    }

    // ---- spread

    private void spread() {
      if (!isWorthSpreading()) {
        return;
      }
      double mean = shares.mean();
      double uneven = shares.of(shares.greatest());
      double chance = SURE * deviation(shares.greatest());
      if (uneven <= (spreading ? EVEN : UNEVEN) * mean || uneven - chance <= EVEN * mean) {
        spreading = false;
        return;
      }
      spreading = true;
      while (!isFull() && shares.of(shares.greatest()) > EVEN * mean) {
        PlacedSubtree best = best(shares.greatest(), shares.least(), mean);
        if (best == null) {
          return;
        }
        int shard = shares.shardAt(shares.least());
        shares.move(best.shard(), shard, share(best));
        add(new Move(best, shard, best.entries(), Reason.SPREAD));
      }
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

    /** The subtree whose move relieves most for what it costs, null: none does. */
    private @Nullable PlacedSubtree best(NodeId from, NodeId to, double mean) {
      double gap = shares.of(from) - shares.of(to);
      PlacedSubtree best = null;
      double bestWorth = 0;
      for (PlacedSubtree subtree : grid.subtrees()) {
        boolean usable =
            from.equals(subtree.node())
                && !changed.contains(subtree.kcl())
                && (!loaded || isKnown(subtree));
        double relief = usable ? Math.min(share(subtree), gap - share(subtree)) : 0;
        double worth = relief / (subtree.entries() + COST_OF_ONE);
        if (relief >= WORTH * mean && worth > bestWorth) {
          best = subtree;
          bestWorth = worth;
        }
      }
      return best;
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
