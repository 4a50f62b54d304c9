package io.canopygrid.spring;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.dao.PermissionDeniedDataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.dao.support.PersistenceExceptionTranslator;

/**
 * Makes Canopy's errors Spring's. An error after which the transaction may have taken effect is
 * never a {@link TransientDataAccessException} or {@link ConcurrencyFailureException}, which are
 * commonly repeated. The message has the code and what to do. Thread-safe.
 */
public final class CanopyExceptionTranslator implements PersistenceExceptionTranslator {
  private final CanopyTemplate template;

  /** For the beans that are {@code @Repository}. */
  public CanopyExceptionTranslator(CanopyTemplate template) {
    this.template = template;
  }

  /**
   * Null, so that the error stays as it is, also in a body that Canopy runs again after a conflict:
   * Canopy has to see its own error there. The template translates it at the end.
   */
  @Override
  public @Nullable DataAccessException translateExceptionIfPossible(RuntimeException e) {
    BoundTransaction bound = BoundTransaction.of(template.canopy());
    boolean retried = bound != null && bound.isRetried();
    return e instanceof CanopyException own && !retried ? translated(own) : null;
  }

  /** The error in Spring's words; its cause is the one that is given. */
  public static DataAccessException translated(CanopyException e) {
    String message = String.valueOf(e.getMessage());
    if (e.commitState() != CommitState.NOT_COMMITTED) {
      return new NonTransientDataAccessResourceException(message, e);
    }
    return switch (e.code()) {
      case WRITE_CONFLICT -> new OptimisticLockingFailureException(message, e);
      case LOCK_TIMEOUT -> new CannotAcquireLockException(message, e);
      case RETRIES_EXHAUSTED -> new ConcurrencyFailureException(message, e);
      case TIMEOUT, SNAPSHOT_TOO_OLD -> new QueryTimeoutException(message, e);
      case KEY_EXISTS, UNIQUE_VIOLATION -> new DuplicateKeyException(message, e);
      case KEY_TOO_LARGE, VALUE_TOO_LARGE, NULL_NOT_ALLOWED, CODEC_FAILURE, CHECK_FAILED ->
          new DataIntegrityViolationException(message, e);
      case CODEC_MISMATCH,
          DEFINITION_MISMATCH,
          UNKNOWN_INDEX,
          UNKNOWN_SNAPSHOT,
          UNKNOWN_FUNCTION,
          INDEX_NOT_READY,
          PART_OF_TABLE,
          INDEX_EXISTS,
          CLONE_TOO_DEEP,
          GRID_CHANGED ->
          new InvalidDataAccessResourceUsageException(message, e);
      case TRANSACTION_CLOSED,
          ROLLBACK_ONLY,
          INVALID_INDEX_NAME,
          INVALID_ARGUMENT,
          FOREIGN_INDEX,
          NESTED_TRANSACTION,
          INVALID_TOKEN,
          SNAPSHOT_EXISTS,
          TRANSACTION_TOO_LARGE,
          CANOPY_CLOSED ->
          new InvalidDataAccessApiUsageException(message, e);
      case UNAUTHENTICATED, FORBIDDEN -> new PermissionDeniedDataAccessException(message, e);
      case SHARD_UNAVAILABLE, NOT_CONNECTED, OVERLOADED, DISK_FULL, DISK_SLOW ->
          new TransientDataAccessResourceException(message, e);
      case COMMIT_UNKNOWN,
          COMMITS_LOST,
          CHANGES_LOST,
          INTERRUPTED,
          FUNCTION_FAILED,
          PORT_IN_USE,
          PROTOCOL_ERROR,
          LEFT_WITH_DATA,
          LEAVE_REFUSED,
          UPGRADE_REFUSED,
          NOT_FINALIZED,
          TRACES_NOT_SENT,
          CONFIG_INVALID,
          DISK_UNUSABLE,
          DISKS_LOST,
          BACKUP_DAMAGED,
          BACKUP_FORMAT,
          BACKUP_STORE_FAILED,
          INTERNAL_ERROR ->
          new DataAccessResourceFailureException(message, e);
    };
  }
}
