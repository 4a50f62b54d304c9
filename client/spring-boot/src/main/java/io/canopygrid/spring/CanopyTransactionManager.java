package io.canopygrid.spring;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Isolation;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.SmartTransactionObject;

/**
 * {@code @Transactional} with transactions of Canopy, which a method gets from {@link
 * CanopyTemplate#transaction}. <b>Nothing is run again</b>: a conflict reaches the caller as a
 * {@link org.springframework.dao.ConcurrencyFailureException}, mostly at the commit. {@link
 * CanopyTransactional} is the better choice wherever the code can be repeated.
 *
 * <p>All isolation levels up to {@code REPEATABLE_READ} are {@link Isolation#UPDATE_SERIALIZABLE},
 * which is stronger. A transaction that is {@code readOnly} may not write. {@code NESTED} is
 * refused, as there are no savepoints. In a body of {@link CanopyTemplate} or a {@link
 * CanopyTransactional} method {@code REQUIRED} joins, and {@code REQUIRES_NEW} is refused.
 */
public final class CanopyTransactionManager extends AbstractPlatformTransactionManager {
  private static final long serialVersionUID = 1L;

  private final transient CanopyTemplate template;

  /** A manager of the transactions of a template's handle, with its options. */
  public CanopyTransactionManager(CanopyTemplate template) {
    this.template = template;
  }

  /** The transaction that the thread is in, if it is in one. */
  private static final class Scope implements SmartTransactionObject {
    private @Nullable BoundTransaction bound;

    /** The one that this manager began, null where it joined one. */
    private @Nullable Transaction own;

    Scope(@Nullable BoundTransaction bound) {
      this.bound = bound;
    }

    @Override
    public boolean isRollbackOnly() {
      return bound != null && bound.isRollbackOnly();
    }
  }

  private Canopy canopy() {
    return template.canopy();
  }

  @Override
  protected Object doGetTransaction() {
    return new Scope(BoundTransaction.of(canopy()));
  }

  @Override
  protected boolean isExistingTransaction(Object transaction) {
    return ((Scope) transaction).bound != null;
  }

  @Override
  protected void doBegin(Object transaction, TransactionDefinition definition) {
    Scope scope = (Scope) transaction;
    try {
      Transaction begun = canopy().begin(options(definition));
      BoundTransaction bound = BoundTransaction.ofCaller(begun, definition.isReadOnly());
      bound.bind(canopy());
      scope.bound = bound;
      scope.own = begun;
    } catch (CanopyException e) {
      throw new CannotCreateTransactionException(String.valueOf(e.getMessage()), e);
    }
  }

  private TransactionOptions options(TransactionDefinition definition) {
    TransactionOptions options = template.defaults();
    if (definition.getIsolationLevel() == TransactionDefinition.ISOLATION_SERIALIZABLE) {
      options = options.withIsolation(Isolation.SERIALIZABLE);
    }
    int seconds = definition.getTimeout();
    return seconds == TransactionDefinition.TIMEOUT_DEFAULT
        ? options
        : options.withTimeout(Duration.ofSeconds(seconds));
  }

  @Override
  protected Object doSuspend(Object transaction) {
    Scope scope = (Scope) transaction;
    BoundTransaction suspended = scope.bound;
    BoundTransaction.unbind(canopy());
    scope.bound = null;
    return suspended == null ? scope : suspended;
  }

  @Override
  protected void doResume(@Nullable Object transaction, Object suspended) {
    ((BoundTransaction) suspended).bind(canopy());
  }

  @Override
  protected void doCommit(DefaultTransactionStatus status) {
    Transaction own = ((Scope) status.getTransaction()).own;
    try {
      if (own != null) {
        own.commit();
      }
    } catch (CanopyException e) {
      throw CanopyExceptionTranslator.translated(e);
    }
  }

  @Override
  protected void doRollback(DefaultTransactionStatus status) {
    Transaction own = ((Scope) status.getTransaction()).own;
    if (own != null) {
      own.rollback();
    }
  }

  @Override
  protected void doSetRollbackOnly(DefaultTransactionStatus status) {
    BoundTransaction bound = ((Scope) status.getTransaction()).bound;
    if (bound != null) {
      bound.setRollbackOnly();
    }
  }

  @Override
  protected void doCleanupAfterCompletion(Object transaction) {
    Scope scope = (Scope) transaction;
    BoundTransaction.unbind(canopy());
    if (scope.own != null) {
      scope.own.close();
    }
  }
}
