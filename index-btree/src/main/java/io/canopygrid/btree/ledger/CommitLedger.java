package io.canopygrid.btree.ledger;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Backoff;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.wire.CommitId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of commits that have a name (decision 7). A named commit writes a record, that it
 * has happened, in its own transaction, and validates that there is none. A look-up that finds no
 * record writes one, that the commit has not happened, in the same way. One of the two is first,
 * and the other one then finds its record. {@link LedgerKeeper} drops the records. A name below the
 * lowest that a shard's records cover is refused by every commit, and its outcome cannot be told.
 * Thread-safe.
 */
public final class CommitLedger {
  private static final long LOOK_UP_MILLIS_MAX = 10_000;

  /** The label of the transactions that write and drop records. */
  static final String LABEL = "canopy.commits";

  private static final byte HAPPENED = 1;
  private static final byte PREVENTED = 2;
  private static final Backoff CONFLICTS = new Backoff(200_000, 50_000_000);

  private final GmuNode node;
  private final CommitKeys keys;
  private final GridTime time;
  private final LedgerLimits limits;

  /** The ledger of a node. */
  public CommitLedger(GmuNode node, GridTime time, LedgerLimits limits) {
    this.node = node;
    this.keys = new CommitKeys(node.shardMap());
    this.time = time;
    this.limits = limits;
  }

  /** The time of the grid, in which names are made. */
  public long millis() {
    return time.millis();
  }

  /** The record that a commit leaves. */
  public Write record(CommitId name) {
    return record(name, new byte[0]);
  }

  /**
   * The record that a commit leaves, and that keeps a result.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} where the name is too old, or too
   *     far ahead. Nothing is done now, but the same commit may have come before, when it was not,
   *     or may be accepted by a node whose time lags
   */
  public Write record(CommitId name, byte[] result) {
    long now = time.millis();
    long age = now - name.millis();
    if (age > limits.ageMillisMax() || isAhead(age)) {
      throw refused(age, now);
    }
    byte[] value = new byte[1 + result.length];
    value[0] = HAPPENED;
    System.arraycopy(result, 0, value, 1, result.length);
    return new Write(keys.of(name), value, null);
  }

  private static CanopyException refused(long age, long now) {
    return new CanopyException(
        ErrorCode.INVALID_ARGUMENT,
        String.format(
            Locale.ROOT,
            "the commit's name is %d ms old by the grid's time, which is %d",
            age,
            now),
        CommitState.UNKNOWN,
        null,
        null);
  }

  /**
   * The outcome of a commit; the look-up prevents the commit where it has not happened.
   *
   * @throws CanopyException where this node cannot look; the commit may have happened, whatever the
   *     error's code says of transactions
   */
  public CommitOutcome lookUp(CommitId name) {
    CompositeKey key = keys.of(name);
    try {
      return lookUp(name, key);
    } catch (RuntimeException e) {
      throw unknown(Failures.ofNode(e, null));
    }
  }

  /** An error while a look-up was under way, which says nothing of the commit. */
  private static RuntimeException unknown(RuntimeException e) {
    return e instanceof CanopyException coded
        ? new CanopyException(
            coded.code(), coded.detail(), CommitState.UNKNOWN, null, coded.getCause())
        : e;
  }

  private CommitOutcome lookUp(CommitId name, CompositeKey key) {
    boolean old = isOld(name);
    long deadlineNanos =
        node.threads().nanoTime() + TimeUnit.MILLISECONDS.toNanos(LOOK_UP_MILLIS_MAX);
    for (int attempt = 1; deadlineNanos - node.threads().nanoTime() > 0; attempt++) {
      CommitOutcome outcome = tryLookUp(key, old, deadlineNanos);
      if (outcome != null) {
        return outcome;
      }
      CONFLICTS.pause(attempt, deadlineNanos, node.threads());
    }
    return CommitOutcome.UNKNOWN;
  }

  /**
   * Whether a name is too old, or too far ahead, for its commit to be prevented: its record may
   * have been forgotten, or would be kept for too long.
   */
  private boolean isOld(CommitId name) {
    long age = time.millis() - name.millis();
    return age > limits.ageMillisMax() || isAhead(age);
  }

  private boolean isAhead(long age) {
    return -age > limits.aheadMillisMax();
  }

  /** Null: another transaction came between. */
  private @Nullable CommitOutcome tryLookUp(CompositeKey key, boolean old, long deadlineNanos) {
    GmuTransaction transaction = node.begin(VectorClock.ZERO, deadlineNanos);
    try {
      ReadAnswer answer = transaction.read(new ReadQuery.Get(key));
      if (answer instanceof ReadAnswer.Redirected redirected && redirected.unborn()) {
        return null; // old records were dropped for the first time, after this snapshot
      }
      if (!(answer instanceof ReadAnswer.Got got)) {
        return CommitOutcome.UNKNOWN;
      }
      byte[] value = got.value();
      if (value != null) {
        return value[0] == HAPPENED
            ? new CommitOutcome(
                CommitState.COMMITTED,
                transaction.clock(),
                Arrays.copyOfRange(value, 1, value.length))
            : CommitOutcome.without(CommitState.NOT_COMMITTED);
      }
      if (old || got.seen().writer() != null) {
        return CommitOutcome.UNKNOWN; // there may have been a record that was dropped
      }
      Footprint prevention =
          new Footprint(
              List.of(new KeyRead(key, got.seen())),
              List.of(),
              List.of(new Write(key, new byte[] {PREVENTED}, null)));
      return transaction.commit(prevention, LABEL) instanceof Outcome.Committed
          ? CommitOutcome.without(CommitState.NOT_COMMITTED)
          : null;
    } catch (TimeoutException e) {
      return CommitOutcome.UNKNOWN;
    } finally {
      transaction.end();
    }
  }
}
