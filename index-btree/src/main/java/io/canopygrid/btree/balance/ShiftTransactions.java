package io.canopygrid.btree.balance;

import io.canopygrid.btree.crown.RetiredEntry;
import io.canopygrid.btree.subtree.Closing;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Backoff;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The transactions that move a part of a subtree elsewhere (docs/decisions/0006 and 0008). {@link
 * #close} marks the part, so that nothing in it changes any more. {@link #move} carries it to its
 * new subtree and writes all headers and the crown. {@link #reopen} takes the mark away instead.
 * Each can be done by any node at any time, and does nothing where another node has done it.
 * Thread-safe.
 */
final class ShiftTransactions {
  /** Names these transactions to others that wait for them. */
  static final String LABEL = "canopy.shift";

  private static final Backoff LOCKS = new Backoff(1_000_000, 20_000_000);

  private final GmuNode node;
  private final NewSubtrees subtrees;
  private final SplitLimits limits;
  private final Map<Integer, LongAdder> splits = new ConcurrentHashMap<>();
  private final LongAdder shifts = new LongAdder();
  private final LongAdder retired = new LongAdder();
  private final LongAdder removed = new LongAdder();

  ShiftTransactions(GmuNode node, NewSubtrees subtrees, SplitLimits limits) {
    this.node = node;
    this.subtrees = subtrees;
    this.limits = limits;
  }

  /** The way in which a step ended. */
  enum Step {
    /** The next step can follow. */
    DONE,
    /** Another change of the structure came between: try again. */
    AGAIN,
    /** There is nothing to be done. */
    NOT_NEEDED
  }

  /** Says which part of a subtree is wanted; null: none any more. */
  interface Wish {
    @Nullable Demand of(SubtreeHeader header);
  }

  /** Marks the part of a subtree that is to go; one that is marked already stays so. */
  Step close(long kcl, Wish wish) throws TimeoutException {
    try (Attempt attempt = new Attempt()) {
      StructureReads.Read own = attempt.reads.header(kcl);
      if (own == null || own.header().isRetired()) {
        return Step.NOT_NEEDED;
      }
      if (own.header().closing() != null) {
        return Step.DONE;
      }
      Demand demand = wish.of(own.header());
      if (demand == null || !isPossible(own.header(), demand)) {
        return Step.NOT_NEEDED;
      }
      Closing part = CutPoint.find(attempt.reads, kcl, own.header(), demand, limits);
      if (part == null) {
        return Step.NOT_NEEDED;
      }
      return attempt.commit(List.of(own.read()), List.of(write(kcl, withClosing(own, part))));
    }
  }

  private static boolean isPossible(SubtreeHeader header, Demand demand) {
    return switch (demand.to()) {
      case NEW -> true;
      case RIGHT -> header.right() != SubtreeHeader.NONE;
      case LEFT -> header.left() != SubtreeHeader.NONE;
    };
  }

  /** Moves the marked part away, where there is one; {@code carried} is told its live entries. */
  Step move(long kcl, IntConsumer carried) throws TimeoutException {
    try (Attempt attempt = new Attempt()) {
      StructureReads.Read own = attempt.reads.header(kcl);
      Closing part = own == null ? null : own.header().closing();
      if (own == null || part == null) {
        return Step.NOT_NEEDED;
      }
      Shift shift = new Shift(attempt.reads, kcl, own);
      long target =
          part.to() == Closing.To.NEW
              ? subtrees.next(part.shard(), node.shardMap().shardOf(kcl))
              : shift.neighbour();
      if (!shift.to(target)) {
        return Step.AGAIN;
      }
      Step step = attempt.commit(shift.reads(), shift.writes());
      if (step == Step.DONE) {
        count(own.header(), part);
        carried.accept(shift.entries());
      }
      return step;
    }
  }

  private void count(SubtreeHeader header, Closing part) {
    if (header.closesWhole()) {
      retired.increment();
    }
    if (part.to() == Closing.To.NEW && !header.closesWhole()) {
      splits.computeIfAbsent(header.index(), index -> new LongAdder()).increment();
    } else {
      shifts.increment();
    }
  }

  /** The number of subtrees of an index that were split through this object. */
  long splits(int index) {
    LongAdder count = splits.get(index);
    return count == null ? 0 : count.sum();
  }

  /** The number of parts carried to a neighbour, and of subtrees carried to a new place at once. */
  long shifts() {
    return shifts.sum();
  }

  /** The number of subtrees that were retired through this object. */
  long retired() {
    return retired.sum();
  }

  /** The number of headers of retired subtrees that were removed through this object. */
  long removed() {
    return removed.sum();
  }

  /** Takes the mark away, where there is one. */
  Step reopen(long kcl) throws TimeoutException {
    try (Attempt attempt = new Attempt()) {
      StructureReads.Read own = attempt.reads.header(kcl);
      if (own == null || own.header().closing() == null) {
        return Step.NOT_NEEDED;
      }
      return attempt.commit(List.of(own.read()), List.of(write(kcl, withClosing(own, null))));
    }
  }

  /** Removes the header of a retired subtree that no snapshot can need any more. */
  Step remove(RetiredEntry entry) throws TimeoutException {
    long kcl = entry.kcl();
    try (Attempt attempt = new Attempt()) {
      StructureReads.Read own = attempt.reads.header(kcl);
      if (own == null || !own.header().isRetired()) {
        return Step.NOT_NEEDED;
      }
      Step step =
          attempt.commit(
              List.of(own.read()),
              List.of(
                  new Write(CompositeKey.header(kcl), null, null),
                  new Write(entry.key(), null, null)));
      if (step == Step.DONE) {
        removed.increment();
      }
      return step;
    }
  }

  /** A subtree's header as it is now, null where it has none. */
  @Nullable SubtreeHeader header(long kcl) throws TimeoutException {
    try (Attempt attempt = new Attempt()) {
      StructureReads.Read own = attempt.reads.header(kcl);
      return own == null ? null : own.header();
    }
  }

  private static SubtreeHeader withClosing(StructureReads.Read own, @Nullable Closing part) {
    return own.header().withClosing(part);
  }

  private static Write write(long kcl, SubtreeHeader header) {
    return new Write(CompositeKey.header(kcl), header.encode(), null);
  }

  /** One transaction. */
  private final class Attempt implements AutoCloseable {
    private final long deadlineNanos =
        node.threads().nanoTime() + TimeUnit.MILLISECONDS.toNanos(limits.timeoutMillis());
    private final GmuTransaction transaction = node.begin(VectorClock.ZERO, deadlineNanos);
    final StructureReads reads = new StructureReads(transaction);

    /** Commits, and again where only locks or the topology were in the way. */
    Step commit(List<KeyRead> reads, List<Write> writes) throws TimeoutException {
      Footprint footprint = new Footprint(reads, List.of(), writes);
      for (int attempt = 1; attempt <= limits.attemptsMax(); attempt++) {
        Outcome outcome = transaction.commit(footprint, LABEL);
        if (outcome instanceof Outcome.Committed) {
          return Step.DONE;
        }
        if (!mayCommitAgain(outcome)) {
          return Step.AGAIN;
        }
        LOCKS.pause(attempt, deadlineNanos, node.threads());
      }
      return Step.AGAIN;
    }

    private boolean mayCommitAgain(@Nullable Outcome outcome) {
      return outcome instanceof Outcome.Aborted aborted
          && (aborted.reason() == Outcome.AbortReason.LOCK_TIMEOUT
              || aborted.reason() == Outcome.AbortReason.TOPOLOGY_CHANGED)
          && deadlineNanos - node.threads().nanoTime() > 0;
    }

    @Override
    public void close() {
      transaction.end();
    }
  }
}
