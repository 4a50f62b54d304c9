package io.canopygrid.btree.access;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.spi.NodeThreads;
import io.canopygrid.spi.Backoff;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The commit of one transaction: prepares again where only the structure or the topology was in the
 * way, with the same reads and writes at their new places, so that the caller's code need not run
 * again. Confined to the transaction's thread.
 */
final class CommitLoop {
  /** How often a lock that was not free in time is waited for again. */
  private static final int LOCK_TIMEOUTS_MAX = 3;

  /** How long a shift of a subtree's keys may be under way before this node finishes it. */
  private static final long CLOSING_PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private static final Backoff CLOSING = new Backoff(50_000, 2_000_000);
  private static final Backoff TOPOLOGY = new Backoff(500_000, 20_000_000);
  private static final Backoff LOCKS = new Backoff(500_000, 10_000_000);

  private final TreeAccess access;
  private final NodeThreads threads;
  private final TreeTransaction transaction;
  private final GmuTransaction gmu;
  private final String label;
  private final long deadlineNanos;

  private int attempts;
  private int lockTimeouts;
  private int closingWaits;

  /** When the first wait for the shift under way began. */
  private long closingSinceNanos;

  CommitLoop(
      TreeAccess access,
      TreeTransaction transaction,
      GmuTransaction gmu,
      String label,
      long deadlineNanos) {
    this.access = access;
    this.threads = access.threads();
    this.transaction = transaction;
    this.gmu = gmu;
    this.label = label;
    this.deadlineNanos = deadlineNanos;
  }

  /** Commits or throws why not; the commit clock, null where there is a record of it already. */
  @Nullable VectorClock commit(Footprint footprint) {
    Footprint now = footprint;
    while (true) {
      attempts++;
      transaction.countCommitRequests(now);
      Outcome outcome = gmu.commit(now, label);
      if (outcome instanceof Outcome.Committed committed) {
        return committed.clock();
      }
      if (!(outcome instanceof Outcome.Aborted aborted)) {
        throw unknown();
      }
      if (aborted.reason() == Outcome.AbortReason.STALE_READ
          && transaction.isRecord(aborted.key())) {
        return null;
      }
      switch (aborted.reason()) {
        case MOVED -> now = rehome(now, aborted);
        case TOPOLOGY_CHANGED -> TOPOLOGY.pause(attempts, deadlineNanos, threads);
        case LOCK_TIMEOUT -> awaitLock(aborted);
        case STALE_READ, SHARD_UNAVAILABLE -> throw failure(aborted);
      }
      if (deadlineNanos - threads.nanoTime() <= 0) {
        throw Failures.failure(
            ErrorCode.TIMEOUT,
            "the transaction's time was over after "
                + attempts
                + " prepares, the last refused as "
                + aborted.reason(),
            transaction.id(),
            null);
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // the very same footprint: nothing has moved yet
  private Footprint rehome(Footprint footprint, Outcome.Aborted moved) {
    long kcl = Invariant.present(moved.key(), "a key has moved").kcl();
    if (transaction.makesSubtrees()) {
      throw transaction.structureChanged(kcl);
    }
    byte[] header = moved.header();
    if (header == null) {
      CLOSING.pause(attempts, deadlineNanos, threads);
      return footprint;
    }
    Footprint rehomed =
        Rehoming.of(footprint, kcl, SubtreeHeader.decode(header), access.router()::towards);
    if (rehomed == footprint) {
      awaitShift(kcl);
    } else {
      closingWaits = 0;
    }
    return rehomed;
  }

  /** A subtree is closing where this transaction writes: the keys are about to move. */
  private void awaitShift(long kcl) {
    if (closingWaits++ == 0) {
      closingSinceNanos = threads.nanoTime();
    }
    if (threads.nanoTime() - closingSinceNanos >= CLOSING_PATIENCE_NANOS) {
      closingSinceNanos = threads.nanoTime();
      access.closing().settle(kcl);
    }
    CLOSING.pause(closingWaits, deadlineNanos, threads);
  }

  /** A lock timeout says nothing against what was read; a header's is a split's doing anyway. */
  private void awaitLock(Outcome.Aborted aborted) {
    CompositeKey key = aborted.key();
    boolean structure = key != null && key.isHeader();
    if (!structure && ++lockTimeouts > LOCK_TIMEOUTS_MAX) {
      throw failure(aborted);
    }
    LOCKS.pause(attempts, deadlineNanos, threads);
  }

  private CanopyException failure(Outcome.Aborted aborted) {
    String place = transaction.describe(aborted.key());
    String other = describeOther(aborted);
    Map<String, String> facts = transaction.facts(aborted);
    return switch (aborted.reason()) {
      case STALE_READ ->
          failure(
              ErrorCode.WRITE_CONFLICT,
              place + " was written by " + other + " after it was read",
              aborted.key(),
              facts);
      case LOCK_TIMEOUT ->
          failure(
              ErrorCode.LOCK_TIMEOUT,
              place + " was locked by " + other + " for too long",
              aborted.key(),
              facts);
      default ->
          failure(
              ErrorCode.SHARD_UNAVAILABLE,
              "no owner of " + place + " can be reached",
              aborted.key(),
              facts);
    };
  }

  private CanopyException failure(
      ErrorCode code, String detail, @Nullable CompositeKey key, Map<String, String> facts) {
    if (key != null && !transaction.isRecord(key)) {
      transaction.indexOf(key).counters().aborted(code);
    }
    if (key != null && code == ErrorCode.WRITE_CONFLICT) {
      transaction.lost(key);
    }
    return new CanopyException(
        code, detail, CommitState.NOT_COMMITTED, transaction.id(), null, facts);
  }

  private static String describeOther(Outcome.Aborted aborted) {
    String name =
        aborted.other() == null ? "another transaction" : "transaction " + aborted.other();
    String label = aborted.otherLabel();
    return label == null || label.isEmpty() ? name : name + " '" + label + "'";
  }

  private CanopyException unknown() {
    if (Thread.currentThread().isInterrupted()) {
      return Failures.unknown(
          ErrorCode.INTERRUPTED, "the thread was interrupted during the commit", transaction.id());
    }
    return deadlineNanos - threads.nanoTime() <= 0
        ? Failures.unknown(
            ErrorCode.TIMEOUT,
            "the transaction's time was over during the commit",
            transaction.id())
        : Failures.unknown(
            ErrorCode.COMMIT_UNKNOWN, "the cluster did not tell the outcome", transaction.id());
  }
}
