package io.canopygrid.btree.balance;

import io.canopygrid.btree.balance.ShiftTransactions.Step;
import io.canopygrid.btree.subtree.Closing;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.node.GmuNode;
import java.util.Arrays;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Changes of an index's structure on demand: a shift of the boundary between two neighbours, and,
 * made of such shifts, the merge of a subtree into a neighbour and its move to another shard. Each
 * shift is atomic, so a change that is stopped anywhere leaves a valid tree. Runs on the caller's
 * thread; thread-safe.
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

  /** The way in which a change ended. */
  public enum Ending {
    /** The structure is as the caller asked for. */
    DONE,
    /** Another change was in the way each time; the shifts made so far stay. */
    IN_THE_WAY,
    /** There is no such subtree, or nothing on that side of it. */
    IMPOSSIBLE
  }

  /**
   * Moves a boundary: some entries of a subtree go to a neighbour, in one transaction.
   *
   * @param left true: the lowest entries go to the left neighbour; false: the greatest go to the
   *     right one
   * @param entries at least 1; where there are no more, the subtree is retired
   */
  public Ending shift(long kcl, boolean left, long entries) throws TimeoutException {
    return ending(steps.shift(kcl, header -> Demand.shift(side(left), entries)));
  }

  /** Cuts a subtree in two: the upper half, or as much as one transaction moves, goes elsewhere. */
  public Ending split(long kcl) throws TimeoutException {
    return split(kcl, node.entries(kcl), Closing.ANY_SHARD, ShiftListener.NONE);
  }

  /**
   * The same.
   *
   * @param entries how many it has
   * @param shard of the new one, {@link Closing#ANY_SHARD}: where there is room
   * @param listener hears of it
   */
  public Ending split(long kcl, long entries, int shard, ShiftListener listener)
      throws TimeoutException {
    Demand half = Demand.split(Math.max(entries, 2), shard);
    return ending(steps.shift(kcl, header -> half, listener));
  }

  /**
   * Cuts a subtree in two at a key: the entries from there on go to a new subtree.
   *
   * @param at within the subtree, above its lowest key
   * @param shard of the new one, {@link Closing#ANY_SHARD}: where there is room
   * @param listener hears of each shift
   * @return {@link Ending#IMPOSSIBLE} also where the subtree has nothing from there on
   */
  public Ending splitAt(long kcl, byte[] at, int shard, ShiftListener listener)
      throws TimeoutException {
    Demand first = Demand.from(at, shard);
    Step step = steps.shift(kcl, header -> isInside(header, at) ? first : null, listener);
    if (step != Step.DONE) {
      return ending(step);
    }
    SubtreeHeader header = transactions.header(kcl);
    long target = header == null ? SubtreeHeader.NONE : header.right();
    Demand rest = Demand.restFrom(at);
    while (step == Step.DONE) {
      step =
          steps.shift(
              kcl, now -> now.right() == target && isInside(now, at) ? rest : null, listener);
    }
    SubtreeHeader last = transactions.header(kcl);
    // If nothing was left from there on, the cut is between the last entry and the key.
    return step == Step.NOT_NEEDED && last != null && !last.isRetired()
        ? Ending.DONE
        : Ending.IN_THE_WAY;
  }

  private static boolean isInside(SubtreeHeader header, byte[] key) {
    return header.covers(key) && !Arrays.equals(header.low(), key);
  }

  /** Moves all entries of a subtree to a neighbour, until it is retired. */
  public Ending merge(long kcl, boolean left) throws TimeoutException {
    return merge(kcl, left, ShiftListener.NONE);
  }

  /** The same; {@code listener} hears of each shift. */
  public Ending merge(long kcl, boolean left, ShiftListener listener) throws TimeoutException {
    return untilRetired(kcl, Demand.shift(side(left), Long.MAX_VALUE), listener);
  }

  /**
   * Moves a subtree to another shard: to a new one there, first as its right part, until the old
   * one is retired.
   */
  public Ending move(long kcl, int shard) throws TimeoutException {
    return move(kcl, shard, ShiftListener.NONE);
  }

  /** The same; {@code listener} hears of each shift. */
  public Ending move(long kcl, int shard, ShiftListener listener) throws TimeoutException {
    Step first = steps.shift(kcl, header -> Demand.move(shard), listener);
    if (first != Step.DONE) {
      return ending(first);
    }
    SubtreeHeader header = transactions.header(kcl);
    if (header == null || header.isRetired()) {
      return Ending.DONE;
    }
    if (node.shardMap().shardOf(header.right()) != shard) {
      // A part that was closing before went elsewhere, or other changes have come between.
      return Ending.IN_THE_WAY;
    }
    long target = header.right();
    Demand rest = Demand.shift(Closing.To.RIGHT, Long.MAX_VALUE);
    while (true) {
      Step step = steps.shift(kcl, now -> now.right() == target ? rest : null, listener);
      if (step != Step.DONE) {
        return isRetired(kcl) ? Ending.DONE : Ending.IN_THE_WAY;
      }
    }
  }

  private Ending untilRetired(long kcl, Demand demand, ShiftListener listener)
      throws TimeoutException {
    Step step = steps.shift(kcl, header -> demand, listener);
    if (step == Step.NOT_NEEDED) {
      return Ending.IMPOSSIBLE;
    }
    while (step == Step.DONE) {
      step = steps.shift(kcl, header -> demand, listener);
    }
    return isRetired(kcl) ? Ending.DONE : Ending.IN_THE_WAY;
  }

  /** Entries above which a subtree is split by itself; 0: it has no header any more. */
  public int entriesMax(long kcl) throws TimeoutException {
    SubtreeHeader header = transactions.header(kcl);
    return header == null ? 0 : header.entriesMax();
  }

  private boolean isRetired(long kcl) throws TimeoutException {
    SubtreeHeader header = transactions.header(kcl);
    return header == null || header.isRetired();
  }

  /** The header of a subtree that a part is closing of; null where none is. */
  public byte @Nullable [] closing(long kcl) throws TimeoutException {
    SubtreeHeader header = transactions.header(kcl);
    return header == null || header.closing() == null ? null : header.encode();
  }

  /** Carries away a part that was left closing, or undoes it. */
  public void settle(long kcl) throws TimeoutException {
    steps.finish(kcl);
  }

  /** Removes the headers of retired subtrees that no snapshot can need any more. */
  public void removeRetired() throws TimeoutException {
    steps.removeRetired();
  }

  /**
   * The number of parts carried to a neighbour, and of whole subtrees carried to a new place, from
   * here.
   */
  public long shifts() {
    return transactions.shifts();
  }

  /** The number of subtrees that were retired from here. */
  public long retired() {
    return transactions.retired();
  }

  /** The number of headers of retired subtrees that were removed from here. */
  public long removed() {
    return transactions.removed();
  }

  private static Closing.To side(boolean left) {
    return left ? Closing.To.LEFT : Closing.To.RIGHT;
  }

  static Ending ending(Step step) {
    return switch (step) {
      case DONE -> Ending.DONE;
      case AGAIN -> Ending.IN_THE_WAY;
      case NOT_NEEDED -> Ending.IMPOSSIBLE;
    };
  }
}
