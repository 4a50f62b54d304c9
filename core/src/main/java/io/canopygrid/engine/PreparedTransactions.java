package io.canopygrid.engine;

import io.canopygrid.BranchId;
import io.canopygrid.PreparedTransaction;
import io.canopygrid.clock.VectorClock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of an engine that commit in two steps: {@link #prepare} makes sure that the
 * transaction can commit, whatever fails, and the decision comes later, perhaps from elsewhere. All
 * methods throw {@link io.canopygrid.CanopyException}. Thread-safe.
 */
public interface PreparedTransactions {
  /**
   * Checks whether transactions can be prepared here, and not only be looked at.
   *
   * @throws io.canopygrid.CanopyException {@link io.canopygrid.ErrorCode#INVALID_ARGUMENT}
   */
  default void checkPrepares() {}

  /**
   * Prepares a transaction, and ends it here, also when this throws. A transaction that writes
   * nothing is validated, and needs no decision.
   *
   * @param label names it to people
   * @throws io.canopygrid.CanopyException as of a commit; {@link
   *     io.canopygrid.ErrorCode#INVALID_ARGUMENT} where it cannot commit in two steps, or the id is
   *     taken
   */
  Prepared prepare(EngineTransaction transaction, BranchId id, String label);

  /**
   * A transaction that was prepared.
   *
   * @param clock of all that it has seen
   * @param decided whether there is nothing left to be decided
   */
  record Prepared(VectorClock clock, boolean decided) {}

  /** Commits what was prepared. */
  Decided commit(BranchId id);

  /** Takes back what was prepared. */
  Decided rollback(BranchId id);

  /**
   * Decides by hand, in the place of the transaction manager; it will be told of that.
   *
   * @param commits whether it is committed
   */
  Decided resolve(BranchId id, boolean commits);

  /** The transaction manager has heard of a decision by hand; whether there was one. */
  boolean forget(BranchId id);

  /** All that are not forgotten, in the order of their ids. */
  List<PreparedTransaction> list();

  /**
   * The end of a prepared transaction.
   *
   * @param clock of the decision; null: none was made now
   */
  record Decided(Ending ending, @Nullable VectorClock clock) {}

  /** The ways in which a decision can end. */
  enum Ending {
    /** The decision has taken effect. */
    DONE,
    /** Nothing is known of such a transaction: it was never prepared, or was decided before. */
    UNKNOWN,
    /** Somebody has committed the transaction by hand before. */
    COMMITTED_BY_HAND,
    /** Somebody has rolled the transaction back by hand before. */
    ROLLED_BACK_BY_HAND
  }
}
