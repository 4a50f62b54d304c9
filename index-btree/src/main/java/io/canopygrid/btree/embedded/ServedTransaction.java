package io.canopygrid.btree.embedded;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.commit.TreeTransaction;
import io.canopygrid.btree.access.scan.RangeScan;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.transaction.LabelCounters;
import io.canopygrid.transaction.Statistics;
import io.canopygrid.wire.client.CommitId;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A transaction by bytes, as a server runs it for a client. Arrays handed in are kept, arrays given
 * out are not to be changed. Confined to one thread at a time. All methods throw {@link
 * CanopyException}.
 */
public final class ServedTransaction {
  private final TreeTransaction tree;
  private final Statistics statistics;
  private final LabelCounters counters;
  private final CommitLedger ledger;
  private final long beganNanos;
  private final long deadlineNanos;
  private boolean open = true;

  ServedTransaction(
      TreeTransaction tree,
      Statistics statistics,
      LabelCounters counters,
      CommitLedger ledger,
      long beganNanos,
      long deadlineNanos) {
    this.tree = tree;
    this.statistics = statistics;
    this.counters = counters;
    this.ledger = ledger;
    this.beganNanos = beganNanos;
    this.deadlineNanos = deadlineNanos;
  }

  /** Names it in errors. */
  public String id() {
    return tree.id();
  }

  /** When its time is over, by {@link System#nanoTime}. */
  public long deadlineNanos() {
    return deadlineNanos;
  }

  /** What it has seen so far. */
  public VectorClock clock() {
    return tree.clock();
  }

  /** How often it had to ask another node. */
  public int remoteRequests() {
    return tree.remoteRequests();
  }

  /** A key's value, null where there is none. */
  public byte @Nullable [] get(IndexRef index, byte[] key) {
    return tree.on(index).get(key);
  }

  /** Sets a key's value, or, where that is null, removes the key, at commit. */
  public void write(IndexRef index, byte[] key, byte @Nullable [] value) {
    if (value == null) {
      tree.on(index).remove(key);
    } else {
      tree.on(index).put(key, value);
    }
  }

  /** The entries of a range, as of {@link io.canopygrid.engine.EngineView#scan}. */
  public RangeScan scan(IndexRef index, KeyRange range, boolean reverse, long limit) {
    return tree.on(index).scan(range, reverse, limit);
  }

  /** How many entries a range has. */
  public long count(IndexRef index, KeyRange range) {
    return tree.on(index).count(range);
  }

  /** Removes the entries of a range, at commit; how many. */
  public long removeRange(IndexRef index, KeyRange range) {
    return removeRange(index, range, key -> {});
  }

  /** The same; {@code each} hears of each key before, and what it throws ends this. */
  public long removeRange(IndexRef index, KeyRange range, Consumer<byte[]> each) {
    return tree.on(index).removeRange(range, each);
  }

  /**
   * Commits and ends it, also when this throws.
   *
   * @param name under which its outcome can be looked up; null: under none
   * @return what it has seen and done
   */
  public VectorClock commit(@Nullable CommitId name) {
    open = false;
    try {
      VectorClock clock = tree.commit(name == null ? null : ledger.record(name));
      if (clock == null && name != null) {
        clock = settledBefore(name);
      }
      if (clock == null) {
        throw new IllegalStateException("only a named commit has a record");
      }
      statistics.committed(counters, tree, System.nanoTime() - beganNanos);
      return clock;
    } catch (CanopyException e) {
      counters.aborted(tree, e.code());
      throw e;
    } finally {
      tree.end();
    }
  }

  /** The commit was sent twice, or has been asked for before it came. */
  private VectorClock settledBefore(CommitId name) {
    CommitLedger.Settled settled = ledger.lookUp(name);
    return switch (settled.state()) {
      case COMMITTED -> settled.seen();
      case NOT_COMMITTED ->
          throw failed(ErrorCode.WRITE_CONFLICT, "a look-up of its outcome ended it", settled);
      case UNKNOWN ->
          throw failed(ErrorCode.COMMIT_UNKNOWN, "the cluster did not tell the outcome", settled);
    };
  }

  private CanopyException failed(ErrorCode code, String detail, CommitLedger.Settled settled) {
    return new CanopyException(code, detail, settled.state(), id(), null);
  }

  /** Ends it without effect; does nothing when it has ended. A read-only one commits by this. */
  public void end(boolean asIntended) {
    if (open) {
      open = false;
      tree.end();
      if (asIntended) {
        statistics.committed(counters, tree, System.nanoTime() - beganNanos);
      } else {
        counters.abandoned(tree);
      }
    }
  }

  /** An error of this transaction, before its commit. */
  public CanopyException error(ErrorCode code, String detail) {
    return new CanopyException(code, detail, CommitState.NOT_COMMITTED, id(), null);
  }
}
