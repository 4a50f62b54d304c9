package io.canopygrid.btree.balance;

import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.spi.Backoff;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of a split (docs/decisions/0006): {@link #close} marks where it will cut, so
 * that nothing above changes any more; {@link #move} carries that part to a new subtree and writes
 * all headers and the crown; {@link #reopen} takes the mark away instead. Each can be done by any
 * node at any time, and does nothing where another node has done it. Thread-safe.
 */
final class SplitTransactions {
  /** Names these transactions where they are in somebody's way. */
  static final String LABEL = "canopy.split";

  private static final Backoff LOCKS = new Backoff(1_000_000, 20_000_000);

  private final GmuNode node;
  private final NewSubtrees subtrees;
  private final SplitLimits limits;
  private final Map<Integer, LongAdder> splits = new ConcurrentHashMap<>();

  SplitTransactions(GmuNode node, NewSubtrees subtrees, SplitLimits limits) {
    this.node = node;
    this.subtrees = subtrees;
    this.limits = limits;
  }

  /** How a step ended. */
  enum Step {
    /** The next step can follow. */
    DONE,
    /** Another change of the structure came between: try again. */
    AGAIN,
    /** The subtree has not more entries than it may have. */
    NOT_NEEDED
  }

  /** Marks the upper part of a subtree that has too many entries. */
  Step close(long kcl) throws TimeoutException {
    try (Attempt attempt = new Attempt()) {
      StructureReads.Read own = attempt.reads.header(kcl);
      long entries = node.entries(kcl);
      if (own == null || (own.header().closingFrom() == null && fits(own.header(), entries))) {
        return Step.NOT_NEEDED;
      }
      if (own.header().closingFrom() != null) {
        return Step.DONE;
      }
      byte[] mid = SplitPoint.find(attempt.reads, kcl, own.header(), entries, limits);
      if (mid == null) {
        return Step.NOT_NEEDED;
      }
      Write header = write(kcl, own.header().closing(mid));
      return attempt.commit(List.of(own.read()), List.of(header));
    }
  }

  /** Moves the marked part away, where there is one. */
  Step move(long kcl) throws TimeoutException {
    try (Attempt attempt = new Attempt()) {
      StructureReads.Read own = attempt.reads.header(kcl);
      if (own == null || own.header().closingFrom() == null) {
        return Step.NOT_NEEDED;
      }
      SubtreeHeader header = own.header();
      byte[] mid = closingFrom(header);
      long target = subtrees.next(node.shardMap().shardOf(kcl));
      List<KeyRead> reads = new ArrayList<>();
      List<Write> writes = new ArrayList<>();
      reads.add(own.read());
      reads.add(StructureReads.unused(target));
      writes.add(write(kcl, header.lowerPart(mid, target)));
      writes.add(write(target, header.upperPart(mid, kcl)));
      CrownEntry entry = new CrownEntry(header.index(), mid, target, kcl);
      writes.add(new Write(entry.key(), entry.value(), null));
      if (header.right() != SubtreeHeader.NONE) {
        linkBack(attempt.reads, header.right(), target, reads, writes);
      }
      moveEntries(attempt.reads, kcl, target, header, writes);
      Step step = attempt.commit(reads, writes);
      if (step == Step.DONE) {
        splits.computeIfAbsent(header.index(), index -> new LongAdder()).increment();
      }
      return step;
    }
  }

  /** How many subtrees of an index were split through this object. */
  long splits(int index) {
    LongAdder count = splits.get(index);
    return count == null ? 0 : count.sum();
  }

  /** Takes the mark away, where there is one. */
  Step reopen(long kcl) throws TimeoutException {
    try (Attempt attempt = new Attempt()) {
      StructureReads.Read own = attempt.reads.header(kcl);
      if (own == null || own.header().closingFrom() == null) {
        return Step.NOT_NEEDED;
      }
      return attempt.commit(List.of(own.read()), List.of(write(kcl, own.header().reopened())));
    }
  }

  /** How many entries a subtree may have, 0 where it has no header. */
  int entriesMax(long kcl) throws TimeoutException {
    try (Attempt attempt = new Attempt()) {
      StructureReads.Read own = attempt.reads.header(kcl);
      return own == null ? 0 : own.header().entriesMax();
    }
  }

  private static void linkBack(
      StructureReads reads, long right, long target, List<KeyRead> read, List<Write> writes)
      throws TimeoutException {
    StructureReads.Read neighbour =
        Invariant.present(reads.header(right), "the right neighbour exists");
    read.add(neighbour.read());
    writes.add(write(right, neighbour.header().withLeft(target)));
  }

  /** Copies keep their writers, and so do the tombstones: to a reader nothing has changed. */
  private static void moveEntries(
      StructureReads reads, long kcl, long target, SubtreeHeader header, List<Write> writes)
      throws TimeoutException {
    byte[] from = EntryKeys.ku(closingFrom(header));
    for (ReadAnswer.Entry entry : reads.entries(kcl, from, EntryKeys.endKu(header.high()))) {
      writes.add(
          new Write(CompositeKey.of(target, entry.ku()), entry.value(), entry.seen().writer()));
      writes.add(new Write(CompositeKey.of(kcl, entry.ku()), null, entry.seen().writer()));
    }
  }

  private static byte[] closingFrom(SubtreeHeader header) {
    return Invariant.present(header.closingFrom(), "the subtree is closing");
  }

  private static boolean fits(SubtreeHeader header, long entries) {
    return entries <= header.entriesMax();
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
