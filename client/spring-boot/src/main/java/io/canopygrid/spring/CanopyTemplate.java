package io.canopygrid.spring;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.ReadBody;
import io.canopygrid.ReadTransaction;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionBody;
import io.canopygrid.TransactionCall;
import io.canopygrid.TransactionOptions;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.UnexpectedRollbackException;

/**
 * Runs code as transactions of Canopy, and says which one the thread is in. Thread-safe.
 *
 * <p><b>Bodies</b> are run as by {@link Canopy#run}, {@link Canopy#call} and {@link Canopy#read}:
 * again after a conflict, so a body must be safe to repeat, and must let Canopy's errors through.
 * While a body runs, its transaction is also that of the thread ({@link #transaction}, {@link
 * #readTransaction}), so that methods that the body calls need not be given it.
 *
 * <p><b>Nested calls join</b> the transaction that the thread is in, whether a body, a method that
 * is {@link CanopyTransactional} or a {@link CanopyTransactionManager} began it. A nested call has
 * no options of its own, is not run again by itself, and commits nothing: the outermost one does.
 * If a nested {@code run} or {@code call} throws, the whole transaction can only be rolled back,
 * also where the caller catches it ({@link UnexpectedRollbackException}). A call that writes cannot
 * join a transaction that only reads ({@link IllegalTransactionStateException}).
 *
 * <p><b>Errors</b> of Canopy reach the caller of the outermost call as {@link DataAccessException}s
 * with the {@link CanopyException} as their cause, see {@link CanopyExceptionTranslator}. All that
 * a body throws of its own reaches it as it is, and rolls back, checked exceptions too.
 */
public final class CanopyTemplate {
  private final Canopy canopy;
  private final TransactionOptions defaults;

  /**
   * A template of a handle.
   *
   * @param defaults the options of calls that give none, and of those that an annotation leaves out
   */
  public CanopyTemplate(Canopy canopy, TransactionOptions defaults) {
    this.canopy = canopy;
    this.defaults = defaults;
  }

  /** The handle. */
  public Canopy canopy() {
    return canopy;
  }

  /** The options of calls that give none. */
  public TransactionOptions defaults() {
    return defaults;
  }

  /** Runs a body that may write. */
  public <X extends Exception> void run(TransactionOptions options, TransactionBody<X> body)
      throws X {
    call(
        options,
        tx -> {
          body.run(tx);
          return tx;
        });
  }

  /** The same with the default options. */
  public <X extends Exception> void run(TransactionBody<X> body) throws X {
    run(defaults, body);
  }

  /** Runs a body that may write, and returns its result. */
  public <T extends @Nullable Object, X extends Exception> T call(
      TransactionOptions options, TransactionCall<T, X> body) throws X {
    BoundTransaction outer = BoundTransaction.of(canopy);
    if (outer != null) {
      return joined(outer, body);
    }
    try {
      return canopy.call(options, tx -> inBody(tx, body));
    } catch (CanopyException e) {
      throw CanopyExceptionTranslator.translated(e);
    }
  }

  /** The same with the default options. */
  public <T extends @Nullable Object, X extends Exception> T call(TransactionCall<T, X> body)
      throws X {
    return call(defaults, body);
  }

  private static <T extends @Nullable Object, X extends Exception> T joined(
      BoundTransaction outer, TransactionCall<T, X> body) throws X {
    boolean done = false;
    try {
      T result = body.call(outer.updates());
      done = true;
      return result;
    } finally {
      if (!done) {
        outer.setRollbackOnly();
      }
    }
  }

  private <T extends @Nullable Object, X extends Exception> T inBody(
      Transaction tx, TransactionCall<T, X> body) throws X {
    BoundTransaction bound = BoundTransaction.ofBody(tx);
    bound.bind(canopy);
    try {
      T result = body.call(tx);
      if (bound.isRollbackOnly()) {
        throw new UnexpectedRollbackException(
            "a nested call has failed, so the Canopy transaction around it cannot commit");
      }
      return result;
    } finally {
      BoundTransaction.unbind(canopy);
    }
  }

  /** Runs a body on one snapshot, and returns its result. */
  public <T extends @Nullable Object, X extends Exception> T read(
      TransactionOptions options, ReadBody<T, X> body) throws X {
    BoundTransaction outer = BoundTransaction.of(canopy);
    if (outer != null) {
      return body.read(outer.reads());
    }
    try {
      return canopy.read(
          options,
          tx -> {
            BoundTransaction.ofReads(tx).bind(canopy);
            try {
              return body.read(tx);
            } finally {
              BoundTransaction.unbind(canopy);
            }
          });
    } catch (CanopyException e) {
      throw CanopyExceptionTranslator.translated(e);
    }
  }

  /** The same with the default options. */
  public <T extends @Nullable Object, X extends Exception> T read(ReadBody<T, X> body) throws X {
    return read(defaults, body);
  }

  /**
   * The transaction that this thread is in, for reading and writing. It ends with the outermost
   * call; each attempt has another one, so it must not be kept.
   *
   * @throws IllegalTransactionStateException if there is none, or it only reads
   */
  public Transaction transaction() {
    return present().updates();
  }

  /**
   * The transaction that this thread is in, for reading; one that may write too shows its own
   * writes.
   *
   * @throws IllegalTransactionStateException if there is none
   */
  public ReadTransaction readTransaction() {
    return present().reads();
  }

  /** Whether this thread is in a transaction of the handle. */
  public boolean isActive() {
    return BoundTransaction.of(canopy) != null;
  }

  private BoundTransaction present() {
    BoundTransaction bound = BoundTransaction.of(canopy);
    if (bound == null) {
      throw new IllegalTransactionStateException(
          "this thread is in no Canopy transaction: call it from CanopyTemplate.run, call or read,"
              + " or from a method that is @CanopyTransactional and is called through its bean");
    }
    return bound;
  }
}
