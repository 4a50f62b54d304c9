package io.canopygrid.btree.access.commit;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.TransactionContext;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.KeyLock;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Backoff;
import io.canopygrid.explain.ExplainedStep.At;
import io.canopygrid.explain.Explanation;
import io.canopygrid.explain.StepKind;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.spi.NodeThreads;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The commit of one transaction: it prepares again where only the structure or the topology was in
 * the way, with the same reads and writes at their new places, so that the caller's code need not
 * run again. Confined to the transaction's thread.
 */
final class CommitLoop {
  /** The number of times that the transaction waits again for a lock that was not free in time. */
  private static final int LOCK_TIMEOUTS_MAX = 3;

  /**
   * The time for which a shift of a subtree's keys may be under way before this node finishes it.
   */
  private static final long CLOSING_PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** The time for which the transaction waits for the decision of a prepared one. */
  private static final long HELD_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final Backoff CLOSING = new Backoff(50_000, 2_000_000);
  private static final Backoff TOPOLOGY = new Backoff(500_000, 20_000_000);
  private static final Backoff LOCKS = new Backoff(500_000, 10_000_000);
  private static final Backoff HELD = new Backoff(1_000_000, 50_000_000);

  private final SharedParts shared;
  private final TransactionContext context;
  private final GmuTransaction gmu;
  private final AbortReport aborts;
  private final String label;
  private final boolean makesSubtrees;
  private final NodeThreads threads;

  /** The subtrees that did not cover what was written to them or read of them. */
  private Set<Long> refused = Set.of();

  private int attempts;
  private int lockTimeouts;
  private int closingWaits;

  /** When the first wait for the shift under way began. */
  private long closingSinceNanos;

  private int heldWaits;

  /** When the first wait for a prepared transaction began. */
  private long heldSinceNanos;

  /**
   * The commit of a transaction.
   *
   * @param makesSubtrees whether it changes the structure, so that it cannot follow what has moved
   */
  CommitLoop(
      SharedParts shared,
      TransactionContext context,
      GmuTransaction gmu,
      AbortReport aborts,
      String label,
      boolean makesSubtrees) {
    this.shared = shared;
    this.context = context;
    this.gmu = gmu;
    this.aborts = aborts;
    this.label = label;
    this.makesSubtrees = makesSubtrees;
    this.threads = shared.threads();
  }

  /** Commits or throws why not; the commit clock, null where its outcome was settled before. */
  @Nullable VectorClock commit(Footprint footprint) {
    Footprint now = footprint;
    while (true) {
      attempts++;
      context.countRemoteRequests(RemoteShards.requests(shared.router(), now));
      Outcome outcome = commitOnce(now);
      if (outcome instanceof Outcome.Committed committed) {
        return committed.clock();
      }
      if (!(outcome instanceof Outcome.Aborted aborted)) {
        throw unknown();
      }
      if (isSettled(aborted)) {
        return null;
      }
      switch (aborted.reason()) {
        case MOVED -> now = rehome(now, aborted);
        case TOPOLOGY_CHANGED -> context.pause(TOPOLOGY, attempts, "waited for a new topology");
        case LOCK_TIMEOUT -> awaitLock(aborted);
        case STALE_READ, SHARD_UNAVAILABLE, TOO_OLD, DISK_FULL, DISK_SLOW ->
            throw aborts.failure(aborted);
      }
      if (context.remainingNanos() <= 0) {
        throw Failures.failure(
            ErrorCode.TIMEOUT,
            "the transaction's time was over after "
                + attempts
                + " prepares, the last refused as "
                + aborted.reason(),
            context.id(),
            null);
      }
    }
  }

  private Outcome commitOnce(Footprint footprint) {
    Explanation explanation = context.explanation();
    if (explanation == null) {
      return gmu.commit(footprint, label);
    }
    CommitParts parts = new CommitParts(shared.router().self());
    gmu.watch(parts);
    long beganNanos = explanation.now();
    Outcome outcome = gmu.commit(footprint, label);
    long endedNanos = explanation.now();
    explanation.add(StepKind.COMMIT, words(outcome), At.HERE, beganNanos, endedNanos);
    parts.addTo(explanation, endedNanos);
    return outcome;
  }

  private static String words(Outcome outcome) {
    if (outcome instanceof Outcome.Aborted aborted) {
      return switch (aborted.reason()) {
        case STALE_READ -> "commit, refused: another transaction was first";
        case LOCK_TIMEOUT -> "commit, refused: a lock was not free in time";
        case MOVED -> "commit, sent on: keys have moved to another subtree";
        case TOPOLOGY_CHANGED -> "commit, refused: owners have changed meanwhile";
        case SHARD_UNAVAILABLE -> "commit, refused: no owner can be reached";
        case TOO_OLD -> "commit, refused: its snapshot is too old";
        case DISK_FULL, DISK_SLOW -> "commit, refused: the disk of an owner cannot take it";
      };
    }
    return outcome instanceof Outcome.Committed ? "commit" : "commit, whose outcome is not known";
  }

  /** There is a record already, or records of names as old as this one were dropped. */
  private boolean isSettled(Outcome.Aborted aborted) {
    return aborts.isRecord(aborted.key())
        && (aborted.reason() == Outcome.AbortReason.STALE_READ
            || aborted.reason() == Outcome.AbortReason.MOVED);
  }

  @SuppressWarnings("ReferenceEquality") // the very same footprint: nothing has moved yet
  private Footprint rehome(Footprint footprint, Outcome.Aborted moved) {
    CompositeKey key = Invariant.present(moved.key(), "a key has moved");
    long kcl = key.kcl();
    byte[] bytes = moved.header();
    SubtreeHeader header = bytes == null ? null : SubtreeHeader.decode(bytes);
    if (header == null ? aborts.isOfDropped(key, shared.router()) : header.isDropped()) {
      throw aborts.dropped(key, header);
    }
    if (header != null && EntryKeys.isSchema(key)) {
      throw aborts.outdated(key);
    }
    if (makesSubtrees) {
      throw shared.loadInTheWay(kcl, context.id());
    }
    if (header == null) {
      context.pause(CLOSING, attempts, "waited for a subtree to be there");
      return footprint;
    }
    KeyLock lock = writes(footprint, key) ? heldIn(header, key) : null;
    if (lock != null) {
      awaitDecision(key, lock);
      return footprint;
    }
    refused = refused.isEmpty() ? new HashSet<>() : refused;
    refused.add(kcl);
    Footprint rehomed =
        Rehoming.of(
            footprint,
            kcl,
            header,
            (from, its, of) -> shared.router().towards(from, its, of, this::hasRefused));
    if (rehomed == footprint) {
      awaitShift(kcl);
    } else {
      closingWaits = 0;
    }
    return rehomed;
  }

  private boolean hasRefused(long kcl) {
    return refused.contains(kcl);
  }

  private static boolean writes(Footprint footprint, CompositeKey key) {
    return footprint.writes().stream().anyMatch(write -> write.key().equals(key));
  }

  /** The lock that keeps a key from being written that is in its place; null: there is none. */
  private static @Nullable KeyLock heldIn(SubtreeHeader header, CompositeKey key) {
    if (header.locks().isEmpty() || !EntryKeys.isEntry(key)) {
      return null;
    }
    byte[] userKey = EntryKeys.userKey(key);
    return header.covers(userKey) ? header.lockOf(userKey) : null;
  }

  private void awaitDecision(CompositeKey key, KeyLock lock) {
    if (heldWaits++ == 0) {
      heldSinceNanos = threads.nanoTime();
    }
    if (threads.nanoTime() - heldSinceNanos >= HELD_PATIENCE_NANOS) {
      IndexRef index = aborts.indexOf(key);
      throw shared.held(index, EntryKeys.userKey(key), lock, context.id());
    }
    context.pause(HELD, heldWaits, "waited for the decision of a prepared transaction");
  }

  /** A subtree is closing where this transaction writes: the keys are about to move. */
  private void awaitShift(long kcl) {
    if (closingWaits++ == 0) {
      closingSinceNanos = threads.nanoTime();
    }
    if (threads.nanoTime() - closingSinceNanos >= CLOSING_PATIENCE_NANOS) {
      closingSinceNanos = threads.nanoTime();
      shared.closing().settle(kcl);
    }
    context.pause(CLOSING, closingWaits, "waited for keys that are being moved");
  }

  /**
   * Waits for a lock. After a lock timeout the reads may still be valid. The lock of a header is
   * held by a split.
   */
  private void awaitLock(Outcome.Aborted aborted) {
    CompositeKey key = aborted.key();
    boolean structure = key != null && key.isHeader();
    if (!structure && ++lockTimeouts > LOCK_TIMEOUTS_MAX) {
      throw aborts.failure(aborted);
    }
    context.pause(LOCKS, attempts, "waited before it asks for a lock again");
  }

  private CanopyException unknown() {
    if (Thread.currentThread().isInterrupted()) {
      return Failures.unknown(
          ErrorCode.INTERRUPTED, "the thread was interrupted during the commit", context.id());
    }
    return context.remainingNanos() <= 0
        ? Failures.unknown(
            ErrorCode.TIMEOUT, "the transaction's time was over during the commit", context.id())
        : Failures.unknown(
            ErrorCode.COMMIT_UNKNOWN, "the cluster did not tell the outcome", context.id());
  }
}
