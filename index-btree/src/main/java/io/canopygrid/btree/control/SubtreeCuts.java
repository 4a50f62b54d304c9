package io.canopygrid.btree.control;

import io.canopygrid.btree.control.PlannedChange.Merge;
import io.canopygrid.btree.control.PlannedChange.Reason;
import io.canopygrid.btree.control.PlannedChange.Split;
import io.canopygrid.btree.load.SubtreeLoad;
import io.canopygrid.gmu.NodeId;
import java.util.Comparator;
import java.util.List;

/**
 * Decides which subtrees are cut, as they are hot or few, and which are merged, as they are many.
 * Confined to one thread.
 */
final class SubtreeCuts {
  /** A part of a hot subtree gets so much of what it may have. */
  private static final double PART = 0.6;

  /** Neighbours that together have less than so much of what one may have are cold. */
  private static final double COLD = 1.0 / 8;

  private final BalanceRound round;
  private final Shares shares;
  private final Shares bytes;

  SubtreeCuts(BalanceRound round) {
    this.round = round;
    this.shares = round.shares();
    this.bytes = round.byteShares();
  }

  /** Cuts the subtrees that have too much of the load. */
  void cutHot() {
    if (!round.isLoaded()) {
      return;
    }
    List<PlacedSubtree> hot =
        round.grid().subtrees().stream()
            .filter(s -> s.node() != null && round.isKnown(s))
            .filter(s -> s.entries() > 1 && isHot(s.load()))
            .sorted(Comparator.comparingDouble(s -> -s.load().perSecond()))
            .toList();
    for (PlacedSubtree subtree : hot) {
      if (!round.isFull()) {
        cut(subtree);
      }
    }
  }

  /** Whether a subtree has too much load, and surely more than a part of it would get. */
  private boolean isHot(SubtreeLoad load) {
    double deviation = Math.sqrt(load.variance(round.limits().memorySeconds()));
    return load.perSecond() > round.most()
        && load.perSecond() - BalanceRound.SURE * deviation > PART * round.most();
  }

  /** Cuts from the highest cut down: each time the upper end of what is left goes. */
  private void cut(PlacedSubtree subtree) {
    List<byte[]> cuts = subtree.load().cuts();
    int parts = (int) Math.ceil(subtree.load().perSecond() / (round.most() * PART));
    int wanted = Math.min(Math.min(parts - 1, cuts.size()), round.changesLeft());
    int end = cuts.size();
    for (int cut = wanted; cut > 0; cut--) {
      int at = cuts.size() * cut / (wanted + 1);
      int shard = moveToLeast(subtree, (double) (end - at) / (cuts.size() + 1));
      long entries = subtree.entries() * (end - at) / (cuts.size() + 1);
      round.add(new Split(subtree, cuts.get(at), shard, Math.max(1, entries), Reason.HOT));
      end = at;
    }
  }

  /** A part of a subtree goes to the node that has least then; the shard that it goes to. */
  private int moveToLeast(PlacedSubtree subtree, double part) {
    NodeId to = bytes.least();
    double least = Double.POSITIVE_INFINITY;
    double heavy = part * BalanceRound.bytes(subtree);
    for (NodeId node : shares.nodes()) {
      double then = shares.of(node) + part * round.share(subtree, node);
      if (then < least && round.hasRoom(node, node.equals(subtree.node()) ? 0 : heavy)) {
        least = then;
        to = node;
      }
    }
    int shard = shares.shardAt(to);
    round.carry(subtree, part, shard, to);
    return shard;
  }

  /** Cuts the largest subtrees of an index that has too few. */
  void cutFew(int index, List<PlacedSubtree> subtrees) {
    boolean fixed = round.grid().cutOffs().containsKey(index);
    long least = fixed ? 1 : round.limits().minSubtreeEntries();
    int missing = round.wanted(index) - subtrees.size();
    List<PlacedSubtree> largest =
        subtrees.stream()
            .filter(s -> s.node() != null && s.entries() > least && !round.isChanged(s))
            .sorted(Comparator.comparingLong(s -> -s.entries()))
            .toList();
    for (PlacedSubtree subtree : largest) {
      if (missing <= 0 || round.isFull()) {
        return;
      }
      int shard = moveToLeast(subtree, 0.5);
      round.add(new Split(subtree, null, shard, subtree.entries() / 2, Reason.FEW));
      missing--;
    }
  }

  /** Merges cold neighbours of an index that has too many subtrees. */
  void mergeMany(int index, List<PlacedSubtree> subtrees) {
    int tooMany = subtrees.size() - 2 * round.wanted(index);
    int entriesMax = round.grid().entriesMax().getOrDefault(index, 0);
    for (int i = 0; i + 1 < subtrees.size() && tooMany > 0 && !round.isFull(); i++) {
      PlacedSubtree left = subtrees.get(i);
      PlacedSubtree right = subtrees.get(i + 1);
      if (isCold(left, right, entriesMax)) {
        boolean leftGoes = left.entries() <= right.entries();
        PlacedSubtree goes = leftGoes ? left : right;
        round.add(new Merge(goes, !leftGoes, goes.entries(), Reason.MANY));
        tooMany--;
        i++;
      }
    }
  }

  private boolean isCold(PlacedSubtree left, PlacedSubtree right, int entriesMax) {
    double both = left.load().perSecond() + right.load().perSecond();
    return left.node() != null
        && right.node() != null
        && round.isKnown(left)
        && round.isKnown(right)
        && left.entries() + right.entries() <= entriesMax / 2
        && (!round.isLoaded() || both <= round.most() * COLD);
  }
}
