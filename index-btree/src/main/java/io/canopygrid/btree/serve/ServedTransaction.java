package io.canopygrid.btree.serve;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.commit.TransactionView;
import io.canopygrid.btree.access.commit.TreeTransaction;
import io.canopygrid.btree.ledger.CommitLedger;
import io.canopygrid.btree.ledger.CommitOutcome;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.EngineView;
import io.canopygrid.explain.Explanation;
import io.canopygrid.transaction.AbortEvent;
import io.canopygrid.transaction.CommitEvent;
import io.canopygrid.transaction.LabelCounters;
import io.canopygrid.transaction.Statistics;
import io.canopygrid.wire.CommitId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that a server runs for a client: the engine's, within the limits of what a client
 * may write, counted under its label, and with a commit that has a name. Arrays handed in are kept,
 * arrays given out are not to be changed. Confined to one thread at a time. All methods throw
 * {@link CanopyException}.
 */
public final class ServedTransaction {
  private final TreeTransaction tree;
  private final WriteLimits limits;
  private final Statistics statistics;
  private final LabelCounters counters;
  private final CommitLedger ledger;
  private final String label;
  private final long beganNanos;
  private final @Nullable CommitEvent event = CommitEvent.begun();
  private boolean open = true;

  /** The time until it was counted as committed; 0: it was not. */
  private long tookNanos;

  /** The view that was asked for last: most requests are of the index of the one before. */
  private @Nullable LimitedView last;

  /** The number of the index for which that was asked; 0: none was. */
  private int lastNumber;

  /** A transaction that has just begun; it is counted as attempted already. */
  ServedTransaction(
      TreeTransaction tree,
      WriteLimits limits,
      Statistics statistics,
      LabelCounters counters,
      CommitLedger ledger,
      String label,
      long beganNanos) {
    this.tree = tree;
    this.limits = limits;
    this.statistics = statistics;
    this.counters = counters;
    this.ledger = ledger;
    this.label = label;
    this.beganNanos = beganNanos;
  }

  /** Names it in errors. */
  public String id() {
    return tree.id();
  }

  /** From now on its steps are recorded. */
  public void explainIn(Explanation recorder) {
    tree.explainIn(recorder);
  }

  /** The clock of what it has seen so far. */
  public VectorClock clock() {
    return tree.clock();
  }

  /** The names of the indexes that it has used so far. */
  public List<String> indexNames() {
    return tree.indexNames();
  }

  /** The number of times that the transaction had to ask another node. */
  public int remoteRequests() {
    return tree.remoteRequests();
  }

  /** The latency with which it was counted as committed, in nanoseconds; 0: it was not. */
  public long tookNanos() {
    return tookNanos;
  }

  /** Whether its commit was refused since another transaction has changed a key before it. */
  public boolean hasLostKey() {
    return tree.hasLostKey();
  }

  /** Waits at its commit for its turn at the key that an earlier attempt has lost. */
  public void queueAfter(ServedTransaction failed) {
    tree.queueAfter(failed.tree);
  }

  /** An index in this transaction. Each write is checked and counted before it is taken. */
  public EngineView on(IndexRef index) {
    return viewOf(index);
  }

  /**
   * A key's value where this node has it at hand. Does not block.
   *
   * @return null: the index's view finds it
   */
  public @Nullable AtHand getAtHand(IndexRef index, byte[] key) {
    // To find a clone can mean to read its entry in the catalog, for which another node is asked.
    if (index.isClone() && lastNumber != index.number()) {
      return null;
    }
    TransactionView.AtHand found = viewOf(index).view().getAtHand(key);
    return found == null ? null : new AtHand(found.value());
  }

  /**
   * A key's value that was found without waiting.
   *
   * @param value null where there is none
   */
  public record AtHand(byte @Nullable [] value) {}

  private LimitedView viewOf(IndexRef index) {
    LimitedView view = last;
    if (view == null || lastNumber != index.number()) {
      view = new LimitedView(tree.on(index), limits);
      last = view;
      lastNumber = index.number();
    }
    return view;
  }

  /** Reads a table's definitions for a client that writes its rows. */
  public byte @Nullable [] definitions(IndexRef definitions, IndexRef rows) {
    return tree.definitions(definitions, rows);
  }

  /**
   * Commits and ends it, also when this throws.
   *
   * @param name under which its outcome can be looked up; null: under none
   * @return the clock of what it has seen and done
   */
  public VectorClock commit(@Nullable CommitId name) {
    open = false;
    try {
      VectorClock clock = tree.commit(name == null ? null : ledger.record(name));
      if (clock == null && name != null) {
        clock = outcomeBefore(name);
      }
      if (clock == null) {
        throw new IllegalStateException("only a named commit has a record");
      }
      countCommit();
      return clock;
    } catch (CanopyException e) {
      counters.aborted(tree, e.code());
      AbortEvent.record(label, e);
      throw e;
    } finally {
      tree.end();
      limits.free();
    }
  }

  private void countCommit() {
    tookNanos = System.nanoTime() - beganNanos;
    statistics.committed(counters, tree, tookNanos);
    if (event != null) {
      event.committed(label, 1, tree);
    }
  }

  /** There was a record: the commit was sent twice, or was looked up before it came. */
  private VectorClock outcomeBefore(CommitId name) {
    CommitOutcome outcome = ledger.lookUp(name);
    return switch (outcome.state()) {
      case COMMITTED -> outcome.seen();
      case NOT_COMMITTED ->
          throw failed(ErrorCode.WRITE_CONFLICT, "a look-up of its outcome ended it", outcome);
      case UNKNOWN ->
          throw failed(ErrorCode.COMMIT_UNKNOWN, "the cluster did not tell the outcome", outcome);
    };
  }

  private CanopyException failed(ErrorCode code, String detail, CommitOutcome outcome) {
    return new CanopyException(code, detail, outcome.state(), id(), null);
  }

  /**
   * Ends it without effect; does nothing when it has ended.
   *
   * @param asIntended it was read-only and has come to its end, and so counts as committed
   */
  public void end(boolean asIntended) {
    if (open) {
      open = false;
      tree.end();
      limits.free();
      if (asIntended) {
        countCommit();
      } else {
        counters.abandoned(tree);
      }
    }
  }
}
