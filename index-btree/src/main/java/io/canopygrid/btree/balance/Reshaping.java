package io.canopygrid.btree.balance;

import io.canopygrid.btree.balance.ShiftTransactions.Step;
import io.canopygrid.btree.subtree.Closing;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.node.GmuNode;
import java.util.concurrent.TimeoutException;

/**
 * Changes of an index's structure that somebody asks for: a shift of the boundary between two
 * neighbours, and, made of such, the merge of a subtree into a neighbour and its move to another
 * shard. Each shift is atomic, so whatever stops one of these leaves a valid tree. Runs on the
 * caller's thread; thread-safe.
 */
public final class Reshaping {
  private final GmuNode node;
  private final ShiftTransactions transactions;
  private final ShiftSteps steps;

  Reshaping(GmuNode node, ShiftTransactions transactions, ShiftSteps steps) {
    this.node = node;
    this.transactions = transactions;
    this.steps = steps;
  }

  /** How a change ended. */
  public enum Ending {
    /** It is as was asked for. */
    DONE,
    /** Something was in its way each time; what was done so far stays. */
    IN_THE_WAY,
    /** There is no such subtree, or nothing on that side of it. */
    IMPOSSIBLE
  }

  /**
   * Moves a boundary: some entries of a subtree go to a neighbour, in one transaction.
   *
   * @param left whether to the left neighbour, the lowest; else the greatest to the right one
   * @param entries at least 1; where there are no more, the subtree is retired
   */
  public Ending shift(long kcl, boolean left, long entries) throws TimeoutException {
    return ending(steps.shift(kcl, header -> Demand.shift(side(left), entries)));
  }

  /** Cuts a subtree in two: the upper half, or as much as one transaction moves, goes elsewhere. */
  public Ending split(long kcl) throws TimeoutException {
    long entries = Math.max(node.entries(kcl), 2);
    return ending(steps.shift(kcl, header -> Demand.split(entries)));
  }

  /** Moves all entries of a subtree to a neighbour, until it is retired. */
  public Ending merge(long kcl, boolean left) throws TimeoutException {
    return untilRetired(kcl, Demand.shift(side(left), Long.MAX_VALUE));
  }

  /**
   * Moves a subtree to another shard: to a new one there, first as its right part, until the old
   * one is retired.
   */
  public Ending move(long kcl, int shard) throws TimeoutException {
    Step first = steps.shift(kcl, header -> Demand.move(shard));
    if (first != Step.DONE) {
      return ending(first);
    }
    SubtreeHeader header = transactions.header(kcl);
    if (header == null || header.isRetired()) {
      return Ending.DONE;
    }
    if (node.shardMap().shardOf(header.right()) != shard) {
      // What was closing before went elsewhere, or others have come between.
      return Ending.IN_THE_WAY;
    }
    long target = header.right();
    Demand rest = Demand.shift(Closing.To.RIGHT, Long.MAX_VALUE);
    while (true) {
      Step step = steps.shift(kcl, now -> now.right() == target ? rest : null);
      if (step != Step.DONE) {
        return isRetired(kcl) ? Ending.DONE : Ending.IN_THE_WAY;
      }
    }
  }

  private Ending untilRetired(long kcl, Demand demand) throws TimeoutException {
    Step step = steps.shift(kcl, header -> demand);
    if (step == Step.NOT_NEEDED) {
      return Ending.IMPOSSIBLE;
    }
    while (step == Step.DONE) {
      step = steps.shift(kcl, header -> demand);
    }
    return isRetired(kcl) ? Ending.DONE : Ending.IN_THE_WAY;
  }

  private boolean isRetired(long kcl) throws TimeoutException {
    SubtreeHeader header = transactions.header(kcl);
    return header == null || header.isRetired();
  }

  /** Removes what is left of retired subtrees that nobody can need any more. */
  public void removeRetired() throws TimeoutException {
    steps.removeRetired();
  }

  /** How many parts were carried to a neighbour, or whole subtrees to a new place, from here. */
  public long shifts() {
    return transactions.shifts();
  }

  /** How many subtrees were retired from here. */
  public long retired() {
    return transactions.retired();
  }

  /** How many headers of retired subtrees were removed from here. */
  public long removed() {
    return transactions.removed();
  }

  private static Closing.To side(boolean left) {
    return left ? Closing.To.LEFT : Closing.To.RIGHT;
  }

  private static Ending ending(Step step) {
    return switch (step) {
      case DONE -> Ending.DONE;
      case AGAIN -> Ending.IN_THE_WAY;
      case NOT_NEEDED -> Ending.IMPOSSIBLE;
    };
  }
}
