package io.canopygrid.btree.control;

import io.canopygrid.btree.control.PlannedChange.Move;
import io.canopygrid.btree.control.PlannedChange.Reason;
import io.canopygrid.gmu.NodeId;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides which subtrees move to another node, and where to. Confined to one thread. */
final class SubtreeMoves {
  /** A node with so much of the mean is relieved. */
  static final double UNEVEN = 1.25;

  /** Down to so much. */
  static final double EVEN = 1.1;

  /** Where more of the entries are in subtrees of unknown use, the load is not known either. */
  private static final double UNKNOWN_MOST = 0.25;

  /** A subtree is drawn to its user if that saves so much of its load. */
  private static final double DRAWN = 0.25;

  /** A move must win at least so much of the mean; less where many small ones add up. */
  private static final double WORTH = 0.02;

  /** The cost of a move beside its entries, in entries. */
  private static final double COST_OF_ONE = 200;

  private final BalanceRound round;
  private final Shares shares;
  private final Shares bytes;

  SubtreeMoves(BalanceRound round) {
    this.round = round;
    this.shares = round.shares();
    this.bytes = round.byteShares();
  }

  /**
   * Moves subtrees from the node that has most, once it has too much, until all is even.
   *
   * @param spreading whether a node is being relieved already
   * @return whether that goes on
   */
  boolean spread(boolean spreading) {
    if (!isWorthSpreading()) {
      return spreading;
    }
    double greatest = shares.of(shares.greatest());
    double chance = round.sure() * deviation(shares.greatest());
    double even = bound(even());
    if (greatest <= (spreading ? even : bound(uneven())) || greatest - chance <= even) {
      return false;
    }
    while (!round.isFull() && shares.of(shares.greatest()) > bound(even())) {
      Move best = best(shares.greatest());
      if (best == null) {
        return true;
      }
      round.add(best);
    }
    return true;
  }

  /**
   * The bound of what a node may have. Above the mean it is a part of all that there is for a node,
   * with the use by its own callers: where nearly all use is near, the rest is little and its
   * differences mean nothing.
   */
  private double bound(double times) {
    return shares.mean() + (times - 1) * whole();
  }

  private double whole() {
    return (round.isLoaded() ? round.load() : shares.total()) / round.nodes();
  }

  private double even() {
    return round.isNear() && !round.isLoaded() ? BalanceRound.FULL : EVEN;
  }

  private double uneven() {
    return round.isNear() && !round.isLoaded() ? BalanceRound.FULL : UNEVEN;
  }

  /** The standard deviation by which the load of a node is off by chance. */
  private double deviation(NodeId node) {
    double variance = 0;
    for (PlacedSubtree subtree : round.grid().subtrees()) {
      if (round.isLoaded() && node.equals(subtree.node())) {
        variance += subtree.load().variance(round.limits().memorySeconds());
      }
    }
    return Math.sqrt(variance);
  }

  private boolean isWorthSpreading() {
    long entries = 0;
    long unknown = 0;
    for (PlacedSubtree subtree : round.grid().subtrees()) {
      entries += subtree.entries();
      unknown += round.isKnown(subtree) ? 0 : subtree.entries();
    }
    return round.isLoaded()
        ? unknown <= UNKNOWN_MOST * entries
        : entries > (long) round.nodes() * round.limits().minSubtreeEntries();
  }

  /** The least that a move of a node's subtree must win; many small ones add up. */
  private double worth(NodeId from) {
    long subtrees = round.grid().subtrees().stream().filter(s -> from.equals(s.node())).count();
    double tooMuch = shares.of(from) - bound(even());
    return Math.min(WORTH * whole(), tooMuch / subtrees / 2);
  }

  /** The move of a node's subtree that relieves most for what it costs, null: none does. */
  private @Nullable Move best(NodeId from) {
    PlacedSubtree best = null;
    NodeId target = shares.least();
    double bestWorth = 0;
    double least = worth(from);
    for (PlacedSubtree subtree : round.grid().subtrees()) {
      if (!from.equals(subtree.node()) || !isMovable(subtree)) {
        continue;
      }
      for (NodeId to : targets(subtree)) {
        double gap = shares.of(from) - shares.of(to);
        double relief = Math.min(round.share(subtree, from), gap - round.share(subtree, to));
        double worth = relief / (subtree.entries() + COST_OF_ONE);
        if (relief >= least
            && worth > bestWorth
            && round.hasRoom(to, BalanceRound.bytes(subtree))) {
          best = subtree;
          target = to;
          bestWorth = worth;
        }
      }
    }
    return best == null ? null : moved(best, target, Reason.SPREAD);
  }

  private boolean isMovable(PlacedSubtree subtree) {
    return !round.isChanged(subtree) && (!round.isLoaded() || round.isKnown(subtree));
  }

  private Move moved(PlacedSubtree subtree, NodeId to, Reason reason) {
    int shard = shares.shardAt(to);
    round.carry(subtree, 1, shard, to);
    return new Move(subtree, shard, subtree.entries(), reason);
  }

  /** The node that has least, and those that use the subtree. */
  private Set<NodeId> targets(PlacedSubtree subtree) {
    Set<NodeId> targets = new LinkedHashSet<>();
    targets.add(shares.least());
    if (round.isNear() && round.isLoaded()) {
      subtree.uses().keySet().stream().filter(shares.nodes()::contains).forEach(targets::add);
    }
    return targets;
  }

  /** Subtrees go to the node whose callers use them most, unless that node has too much. */
  void draw() {
    if (!round.isNear() || !round.isLoaded()) {
      return;
    }
    for (PlacedSubtree subtree : round.grid().subtrees()) {
      NodeId from = subtree.node();
      NodeId to = user(subtree);
      if (from != null && to != null && !round.isFull() && isMovable(subtree)) {
        double saved = round.share(subtree, from) - round.share(subtree, to);
        double chance =
            round.sure() * Math.sqrt(subtree.load().variance(round.limits().memorySeconds()));
        double then = shares.of(to) + round.share(subtree, to);
        boolean fits =
            then <= bound(EVEN) - saved / round.nodes()
                && round.hasRoom(to, BalanceRound.bytes(subtree));
        if (fits && saved > 0 && saved - chance >= DRAWN * subtree.load().perSecond()) {
          round.add(moved(subtree, to, Reason.NEAR));
        }
      }
    }
  }

  /** A node that has grown too full for being near gives up the subtrees that it uses least. */
  void empty() {
    while (round.isNear()
        && !round.isFull()
        && bytes.of(bytes.greatest()) > BalanceRound.FULL * bytes.mean()) {
      NodeId from = bytes.greatest();
      NodeId to = bytes.least();
      PlacedSubtree least = null;
      double leastLost = Double.POSITIVE_INFINITY;
      for (PlacedSubtree subtree : round.grid().subtrees()) {
        double lost =
            (round.share(subtree, to) - round.share(subtree, from))
                / (1 + BalanceRound.bytes(subtree));
        boolean helps = bytes.of(to) + BalanceRound.bytes(subtree) < bytes.of(from);
        if (from.equals(subtree.node()) && isMovable(subtree) && helps && lost < leastLost) {
          least = subtree;
          leastLost = lost;
        }
      }
      if (least == null) {
        return;
      }
      round.add(moved(least, to, Reason.SPREAD));
    }
  }

  /** The node whose callers use a subtree most; null: no node's callers do. */
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
}
