package io.canopygrid.btree.prepared;

import io.canopygrid.BranchId;
import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.PreparedTransaction;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.read.Router;
import io.canopygrid.btree.crown.PreparedEntry;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.KeyLock;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.Backoff;
import io.canopygrid.engine.PreparedTransactions.Decided;
import io.canopygrid.engine.PreparedTransactions.Ending;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The second step of one prepared transaction: in one transaction it takes the locks, the redo log
 * and the entry of TOP away, and writes what was to be written, or nothing. The entry is validated,
 * so the step takes effect once. Confined to one thread.
 */
final class SecondStep {
  static final String COMMIT = "canopy.commit";
  static final String ROLLBACK = "canopy.rollback";
  private static final long TIMEOUT_MILLIS = 30_000;
  private static final int LOST_AFTER = 40;
  private static final Backoff AGAIN = new Backoff(1_000_000, 50_000_000);

  private final GmuNode node;
  private final Router router;
  private final BranchId id;
  private final boolean commits;
  private final boolean byHand;
  private final long deadlineNanos;

  private int attempts;

  /** Whether the outcome of an attempt is not known. */
  private boolean tried;

  /**
   * A decision.
   *
   * @param byHand whether the transaction manager has to be told of it
   */
  SecondStep(GmuNode node, BranchId id, boolean commits, boolean byHand) {
    this.node = node;
    this.router = new Router(node);
    this.id = id;
    this.commits = commits;
    this.byHand = byHand;
    this.deadlineNanos = node.threads().nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
  }

  Decided run() {
    while (true) {
      attempts++;
      try {
        Decided decided = attempt();
        if (decided != null) {
          return decided;
        }
      } catch (TimeoutException e) {
        throw state(Failures.timeout(null, e));
      } catch (RuntimeException e) {
        RuntimeException coded = Failures.ofNode(e, null);
        throw coded instanceof CanopyException known ? state(known) : coded;
      }
      if (deadlineNanos - node.threads().nanoTime() <= 0) {
        throw state(
            Failures.failure(
                ErrorCode.TIMEOUT,
                "something was in the way of each attempt to end "
                    + id
                    + "; where shards were lost, roll it back by hand",
                null,
                null));
      }
      if (Thread.currentThread().isInterrupted()) {
        throw state(
            Failures.failure(
                ErrorCode.INTERRUPTED,
                "the thread was interrupted while it ended " + id,
                null,
                null));
      }
      AGAIN.pause(attempts, deadlineNanos, node.threads());
    }
  }

  private CanopyException state(CanopyException e) {
    return tried
        ? new CanopyException(e.code(), e.detail(), CommitState.UNKNOWN, e.transactionId(), e)
        : e;
  }

  /** Null: something was in the way. */
  private @Nullable Decided attempt() throws TimeoutException {
    GmuTransaction step = node.begin(VectorClock.ZERO, deadlineNanos);
    try {
      SnapshotReads reads = new SnapshotReads(step, router, deadlineNanos);
      CompositeKey key = PreparedEntry.key(id);
      ReadAnswer.Got found = reads.get(key);
      byte[] value = found.value();
      KeyRead read = new KeyRead(key, found.seen());
      if (value == null) {
        return tried ? new Decided(Ending.DONE, step.clock()) : absent(step, read);
      }
      PreparedEntry entry = PreparedEntry.decode(key.ku(), value);
      if (!entry.isInDoubt()) {
        return new Decided(endingOf(entry), step.clock());
      }
      Footprint footprint = footprint(reads, entry, read);
      return footprint == null ? null : outcome(step.commit(footprint, label()));
    } finally {
      step.end();
    }
  }

  /**
   * Nothing is prepared under the id, and nothing will be: a first step that is under way still, or
   * has committed and is not seen here, and this one exclude each other. Null: something was in the
   * way.
   */
  private @Nullable Decided absent(GmuTransaction step, KeyRead read) {
    List<Write> mark = List.of(new Write(read.key(), null, null));
    Outcome outcome = step.commit(new Footprint(List.of(read), List.of(), mark), label());
    if (outcome instanceof Outcome.Aborted) {
      return outcome(outcome);
    }
    return outcome instanceof Outcome.Committed committed
        ? new Decided(Ending.UNKNOWN, committed.clock())
        : null;
  }

  private String label() {
    return commits ? COMMIT : ROLLBACK;
  }

  /** The ending that was decided by hand; done, where that was this very decision. */
  private Ending endingOf(PreparedEntry entry) {
    boolean committed = entry.state() == PreparedTransaction.State.COMMITTED_BY_HAND;
    return byHand && tried && committed == commits
        ? Ending.DONE
        : committed ? Ending.COMMITTED_BY_HAND : Ending.ROLLED_BACK_BY_HAND;
  }

  private @Nullable Decided outcome(Outcome outcome) {
    if (outcome instanceof Outcome.Committed committed) {
      return new Decided(Ending.DONE, committed.clock());
    }
    if (!(outcome instanceof Outcome.Aborted aborted)) {
      tried = true;
      return null;
    }
    return switch (aborted.reason()) {
      case MOVED, TOPOLOGY_CHANGED, STALE_READ, LOCK_TIMEOUT -> null;
      case SHARD_UNAVAILABLE ->
          throw failure(ErrorCode.SHARD_UNAVAILABLE, "no owner of a shard can be reached");
      case TOO_OLD -> throw failure(ErrorCode.SNAPSHOT_TOO_OLD, Failures.TOO_OLD);
      case DISK_FULL ->
          throw failure(ErrorCode.DISK_FULL, "a disk has no room: " + aborted.otherLabel());
      case DISK_SLOW ->
          throw failure(ErrorCode.DISK_SLOW, "a disk takes nothing: " + aborted.otherLabel());
    };
  }

  private static CanopyException failure(ErrorCode code, String detail) {
    return Failures.failure(code, detail, null, null);
  }

  // ---- what it changes

  /** Null: the places of the locks are not clear yet. */
  private @Nullable Footprint footprint(SnapshotReads reads, PreparedEntry entry, KeyRead read)
      throws TimeoutException {
    List<Write> writes = new ArrayList<>();
    SortedMap<Integer, List<KeyLock>> locks = locks(reads, entry, writes);
    if (locks == null) {
      return null;
    }
    List<RedoLog.Redo> redo = redo(reads, entry, writes);
    Map<Long, SnapshotReads.Header> holding = new TreeMap<>();
    for (Map.Entry<Integer, List<KeyLock>> held : locks.entrySet()) {
      for (KeyLock lock : held.getValue()) {
        if (!find(reads, held.getKey(), lock, holding) && !mayHaveLost()) {
          return null;
        }
      }
    }
    List<KeyRead> validated = new ArrayList<>();
    validated.add(read);
    for (SnapshotReads.Header header : holding.values()) {
      validated.add(header.read());
      byte[] freed = header.header().withoutLocksOf(entry.owner()).encode();
      writes.add(new Write(CompositeKey.header(header.kcl()), freed, null));
    }
    for (RedoLog.Redo each : redo) {
      writes.add(write(reads, entry, each, holding));
    }
    byte[] left = byHand ? entry.decided(commits).value() : null;
    writes.add(new Write(entry.key(), left, null));
    return new Footprint(validated, List.of(), writes);
  }

  /** Null: the log cannot be found, and may come back. */
  private @Nullable SortedMap<Integer, List<KeyLock>> locks(
      SnapshotReads reads, PreparedEntry entry, List<Write> writes) throws TimeoutException {
    CompositeKey key = RedoLog.key(entry.log(), entry.owner(), 0);
    byte[] value = reads.get(key).value();
    if (value != null) {
      writes.add(new Write(key, null, null));
      return RedoLog.locks(value);
    }
    return mayHaveLost() ? everywhere(entry) : null;
  }

  /** The locks of a transaction whose redo log is lost may be anywhere in its indexes. */
  private static SortedMap<Integer, List<KeyLock>> everywhere(PreparedEntry entry) {
    SortedMap<Integer, List<KeyLock>> all = new TreeMap<>();
    for (int index : entry.indexes().keySet()) {
      all.put(index, List.of(new KeyLock(entry.owner(), true, new byte[0], null)));
    }
    return all;
  }

  /**
   * Whether what cannot be found is taken for lost with its disks: where a transaction is rolled
   * back by hand, and others had time to put things right.
   */
  private boolean mayHaveLost() {
    return byHand && !commits && attempts > LOST_AFTER;
  }

  /** The writes that are to come; all of the log goes. */
  private List<RedoLog.Redo> redo(SnapshotReads reads, PreparedEntry entry, List<Write> writes)
      throws TimeoutException {
    List<RedoLog.Redo> redo = new ArrayList<>();
    byte[] from = RedoLog.ku(entry.owner(), 1);
    byte[] to = KeyRange.successor(RedoLog.ku(entry.owner(), -1));
    while (true) {
      ReadAnswer.Scanned page = reads.scan(entry.log(), from, to, commits);
      for (ReadAnswer.Entry each : page.entries()) {
        from = KeyRange.successor(each.ku());
        if (each.seen().tombstone()) {
          continue;
        }
        writes.add(new Write(CompositeKey.of(entry.log(), each.ku()), null, null));
        if (commits) {
          redo.add(RedoLog.redo(Invariant.present(each.value(), "a log has values")));
        }
      }
      if (page.complete()) {
        Invariant.holds(
            writes.size() == entry.writes() + 1 || mayHaveLost(),
            "a redo log has all writes of %s",
            entry);
        return redo;
      }
    }
  }

  /** Finds the subtrees that hold a lock; false: not all of its keys can be found. */
  private static boolean find(
      SnapshotReads reads, int index, KeyLock lock, Map<Long, SnapshotReads.Header> holding)
      throws TimeoutException {
    byte[] at = lock.from();
    while (true) {
      SnapshotReads.Header read = reads.covering(index, at);
      if (read == null) {
        return false;
      }
      if (read.header().locks().stream().anyMatch(held -> held.owner() == lock.owner())) {
        holding.put(read.kcl(), read);
      }
      byte[] high = read.header().high();
      if (high == null || (lock.to() != null && Arrays.compareUnsigned(lock.to(), high) <= 0)) {
        return true;
      }
      at = high;
    }
  }

  private static Write write(
      SnapshotReads reads,
      PreparedEntry entry,
      RedoLog.Redo redo,
      Map<Long, SnapshotReads.Header> holding)
      throws TimeoutException {
    SnapshotReads.Header at = reads.covering(redo.index(), redo.key());
    Invariant.holds(
        at != null && holding.containsKey(at.kcl()),
        "what %s is to write is held where it goes",
        entry.id());
    long kcl = Invariant.present(at, "a key that is held has a place").kcl();
    return new Write(EntryKeys.of(kcl, redo.key()), redo.value(), null);
  }
}
