package io.canopygrid.btree.control;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides how the structure should change, from the size and the use of all subtrees. It decides
 * the next few steps only; later steps are decided anew on the grid as it is then. The result is
 * always the same for the same input, except for two bits that the policy remembers. Confined to
 * one thread.
 *
 * <p>The steps and why they do not undo each other:
 *
 * <ol>
 *   <li><em>Hot</em> ({@link SubtreeCuts}): a subtree with more than 1/(2·nodes) of the load is cut
 *       where its load is cut evenly, into parts of about half of that; neighbours are merged only
 *       below an eighth of it.
 *   <li><em>Few</em> ({@link SubtreeCuts}): while an index has fewer subtrees than wanted, its
 *       largest are split, if they have more than the least that is worth it; subtrees are merged
 *       only above twice as many as wanted.
 *   <li><em>Spread</em> ({@link SubtreeMoves}): once a node has more than {@value
 *       SubtreeMoves#UNEVEN} of the mean, subtrees move from the greatest to the least until it is
 *       {@value SubtreeMoves#EVEN}.
 *   <li><em>Near</em> ({@link SubtreeMoves}), with {@link io.canopygrid.Placement#NEAR}: the use of
 *       a node's own data by its own callers counts little in <em>spread</em>, and a subtree goes
 *       to the node whose callers use it most. This ends when that node has the mean and a tenth of
 *       what a node would have if no use were a node's own, or {@value BalanceRound#FULL} times the
 *       mean of all bytes. A node that has more bytes gives some up.
 *   <li><em>Many</em> ({@link SubtreeCuts}): neighbours that together fill less than half of a
 *       subtree and are cold are merged.
 * </ol>
 *
 * <p>Loads are counted for a few seconds, so they are off by chance, much so where little is used.
 * Nothing is cut or moved because of a difference that can be chance.
 */
public final class CutOffPolicy implements BalancePolicy {
  private final BalanceLimits limits;

  /** Whether the policy is relieving a node; it goes on until all is even. */
  private boolean spreading;

  /** Whether the load counts, not the entries. Remembered, as it would flip near the border. */
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
  public List<PlannedChange> decide(GridLoad grid) {
    BalanceRound round = new BalanceRound(grid, limits, byLoad);
    byLoad = round.isLoaded();
    Map<Integer, List<PlacedSubtree>> byIndex = new LinkedHashMap<>();
    for (PlacedSubtree subtree : grid.subtrees()) {
      byIndex.computeIfAbsent(subtree.index(), index -> new ArrayList<>()).add(subtree);
    }
    SubtreeCuts cuts = new SubtreeCuts(round);
    if (round.nodes() > 1) {
      SubtreeMoves moves = new SubtreeMoves(round);
      cuts.cutHot();
      byIndex.forEach(cuts::cutFew);
      spreading = moves.spread(spreading);
      moves.draw();
      moves.empty();
    }
    if (round.changes().isEmpty()) {
      byIndex.forEach(cuts::mergeMany);
    }
    return round.changes();
  }
}
