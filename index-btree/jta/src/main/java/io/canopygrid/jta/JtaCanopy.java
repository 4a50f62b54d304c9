package io.canopygrid.jta;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.CanopyXaResource;
import io.canopygrid.ErrorCode;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionManager;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Canopy in the global transactions of a transaction manager: what a thread does with {@link
 * #transaction} is committed with all that the thread's global transaction does elsewhere, or not
 * at all. Thread-safe; made once and shared.
 *
 * <pre>{@code
 * JtaCanopy jta = JtaCanopy.of(db, manager);
 * manager.begin();
 * jta.transaction().on(accounts).put(1L, account);
 * // … the same for a database
 * manager.commit();
 * }</pre>
 *
 * <p>The transaction manager needs to know the resource for its recovery, too: {@code
 * db.xa().resource()}.
 */
public final class JtaCanopy {
  private final Canopy db;
  private final TransactionManager manager;
  private final TransactionOptions options;
  private final Map<jakarta.transaction.Transaction, CanopyXaResource> enlisted =
      new ConcurrentHashMap<>();

  private JtaCanopy(Canopy db, TransactionManager manager, TransactionOptions options) {
    this.db = db;
    this.manager = manager;
    this.options = options;
  }

  /** A handle of an embedded node in the transactions of a transaction manager. */
  public static JtaCanopy of(Canopy db, TransactionManager manager) {
    return of(db, manager, TransactionOptions.DEFAULTS);
  }

  /**
   * The same.
   *
   * @param options those of each transaction; {@link TransactionOptions#maxAttempts} means nothing
   */
  public static JtaCanopy of(Canopy db, TransactionManager manager, TransactionOptions options) {
    return new JtaCanopy(db, manager, options);
  }

  /**
   * The transaction of the thread's global transaction, in which Canopy is enlisted with the first
   * call. Only the transaction manager ends it.
   *
   * @throws CanopyException {@link ErrorCode#TRANSACTION_CLOSED} where the thread has no global
   *     transaction, or one that is to be rolled back; what a beginning throws
   */
  public Transaction transaction() {
    try {
      jakarta.transaction.Transaction global = manager.getTransaction();
      if (global == null || global.getStatus() != Status.STATUS_ACTIVE) {
        throw new CanopyException(
            ErrorCode.TRANSACTION_CLOSED, "the thread has no global transaction that is active");
      }
      CanopyXaResource resource = enlisted.get(global);
      return (resource == null ? enlist(global) : resource).transaction();
    } catch (SystemException e) {
      throw new CanopyException(
          ErrorCode.TRANSACTION_CLOSED, "the transaction manager has failed: " + e.getMessage(), e);
    }
  }

  /** The thread is the only one that works in the transaction. */
  private CanopyXaResource enlist(jakarta.transaction.Transaction global) throws SystemException {
    CanopyXaResource resource = db.xa().resource(options);
    try {
      global.registerSynchronization(new Forgetting(global));
      if (!global.enlistResource(resource)) {
        throw new CanopyException(
            ErrorCode.TRANSACTION_CLOSED, "the transaction manager has not enlisted Canopy");
      }
    } catch (RollbackException e) {
      throw new CanopyException(
          ErrorCode.TRANSACTION_CLOSED, "the global transaction is to be rolled back", e);
    }
    enlisted.put(global, resource);
    return resource;
  }

  /** Forgets the resource of a global transaction that is over. */
  private final class Forgetting implements Synchronization {
    private final jakarta.transaction.Transaction global;

    Forgetting(jakarta.transaction.Transaction global) {
      this.global = global;
    }

    @Override
    public void beforeCompletion() {}

    @Override
    public void afterCompletion(int status) {
      enlisted.remove(global);
    }
  }
}
