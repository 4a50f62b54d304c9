package io.canopygrid;

import java.util.List;

/**
 * Canopy as a resource of global transactions (XA): a transaction manager of Jakarta Transactions
 * commits changes of Canopy and of other resources, such as a database, all or none. Thread-safe.
 *
 * <p>A branch is <i>prepared</i> first. From then on it survives what a commit survives, and holds
 * what it has read and written: a transaction that wants to write there waits for the decision for
 * a second, and ends in {@link ErrorCode#LOCK_TIMEOUT} otherwise. Readers never wait; they see the
 * state from before. Every node of the grid can end a branch, whoever prepared it. Rows of tables
 * can be read in a branch, and not be written.
 *
 * <p>A client of servers has no resource ({@link ErrorCode#INVALID_ARGUMENT}); it can list
 * branches, and decide them by hand.
 */
public interface CanopyXa {
  /**
   * A resource for a transaction manager. It works in one transaction at a time; make one for each
   * thread, or for each transaction.
   *
   * @param options those of each of its transactions; {@link TransactionOptions#maxAttempts} means
   *     nothing
   */
  CanopyXaResource resource(TransactionOptions options);

  /** The same with {@link TransactionOptions#DEFAULTS}. */
  default CanopyXaResource resource() {
    return resource(TransactionOptions.DEFAULTS);
  }

  /**
   * The branches of the grid that are prepared and not decided, and those that were decided by hand
   * and are not forgotten; in the order of their ids.
   */
  List<PreparedTransaction> prepared();

  /**
   * Decides a branch by hand, where its transaction manager is lost for good. If it comes back, it
   * is told so as a heuristic outcome; where it has decided otherwise for other resources, these
   * and Canopy differ.
   *
   * @param commits whether the branch is committed
   * @return whether there was one that was not decided
   */
  boolean resolve(BranchId id, boolean commits);
}
