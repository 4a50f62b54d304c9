package io.canopygrid.typed;

import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.EngineTransaction;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The common part of update and read-only transactions. Confined to one thread at a time. */
public abstract class OpenTransaction {
  private final Handle owner;
  private final EngineTransaction engine;
  private CommitState outcome = CommitState.NOT_COMMITTED;
  private boolean open = true;

  /** All that was read {@link #once}; most transactions have nothing. */
  private Map<Object, Object> known = Map.of();

  /** The error of a write of which only a part may be staged; null: there was none. */
  private @Nullable Throwable half;

  /**
   * An open transaction.
   *
   * @param owner the handle's own, which its indexes have too
   */
  protected OpenTransaction(Handle owner, EngineTransaction engine) {
    this.owner = owner;
    this.engine = engine;
  }

  /** Names the transaction in errors. */
  public final String id() {
    return engine.id();
  }

  /** The handle's own, by which a foreign index or table is told. */
  public final Handle owner() {
    return owner;
  }

  /** The transaction below this one. */
  public final EngineTransaction engine() {
    return engine;
  }

  /** A token of all that it has seen so far. */
  final CausalToken token() {
    return CausalToken.of(engine.grid(), engine.clock());
  }

  /**
   * Something that the transaction reads once.
   *
   * @param of what it is of
   */
  @SuppressWarnings("unchecked") // what is of one thing is always of one type
  public final <T> T once(Object of, Supplier<T> read) {
    if (known.isEmpty()) {
      known = new HashMap<>();
    }
    Object found = known.get(of);
    if (found == null) {
      found = read.get();
      known.put(of, found);
    }
    return (T) found;
  }

  /** Whether the transaction has not ended. */
  public final boolean isOpen() {
    return open;
  }

  /**
   * Stages a write of several entries. Where it fails, some of them may be staged and some not, so
   * the transaction cannot commit any more, whatever its body does with the error.
   */
  public final <T> T whole(Supplier<T> write) {
    try {
      return write.get();
    } catch (RuntimeException | Error e) {
      half = e;
      throw e;
    }
  }

  /**
   * Commits; the clock of what it has seen and done.
   *
   * @throws CanopyException {@link ErrorCode#ROLLBACK_ONLY} after a write that failed half way
   */
  public final VectorClock end() {
    VectorClock clock = endBy(EngineTransaction::commit);
    outcome = CommitState.COMMITTED;
    return clock;
  }

  /** Ends by another step than a commit, after which the outcome may be open. */
  public final VectorClock endBy(Function<EngineTransaction, VectorClock> step) {
    checkWhole();
    open = false;
    outcome = CommitState.UNKNOWN; // as long as nobody says anything else
    try {
      return step.apply(engine);
    } catch (CanopyException e) {
      outcome = e.commitState();
      throw e;
    }
  }

  private void checkWhole() {
    Throwable why = half;
    if (why == null) {
      return;
    }
    abandon();
    if (why instanceof CanopyException e && e.retryable()) {
      throw e;
    }
    throw new CanopyException(
        ErrorCode.ROLLBACK_ONLY,
        "a write failed half way: " + why.getMessage(),
        CommitState.NOT_COMMITTED,
        id(),
        why);
  }

  /** Ends it without effect where it is open. */
  public final void abandon() {
    if (open) {
      open = false;
      engine.end();
    }
  }

  /**
   * Checks that the transaction has not ended.
   *
   * @throws CanopyException {@link ErrorCode#TRANSACTION_CLOSED}
   */
  public final void checkOpen() {
    if (!open) {
      throw new CanopyException(
          ErrorCode.TRANSACTION_CLOSED, "the transaction has ended", outcome, id(), null);
    }
  }

  /** The index, if it is one of this transaction's handle. */
  public final <K, V> TypedIndex<K, V> checked(@Nullable Index<K, V> index) {
    checkOpen();
    notNull("the index", index);
    if (index instanceof TypedIndex<K, V> own && own.owner() == owner) {
      return own;
    }
    throw error(ErrorCode.FOREIGN_INDEX, index + " is of another handle");
  }

  /**
   * Checks an argument.
   *
   * @throws CanopyException {@link ErrorCode#NULL_NOT_ALLOWED}
   */
  public final void notNull(String what, @Nullable Object value) {
    if (value == null) {
      throw error(ErrorCode.NULL_NOT_ALLOWED, what + " is null");
    }
  }

  /** An error of this transaction, which has written nothing. */
  public final CanopyException error(ErrorCode code, String detail) {
    return new CanopyException(code, detail, CommitState.NOT_COMMITTED, id(), null);
  }

  /** An error that is none where the transaction runs again; it has the same facts. */
  public final CanopyException conflict(CanopyException e) {
    return new CanopyException(
        ErrorCode.WRITE_CONFLICT, e.detail(), CommitState.NOT_COMMITTED, id(), e, e.facts());
  }
}
