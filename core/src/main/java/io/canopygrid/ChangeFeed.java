package io.canopygrid;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The changes of an index, transaction by transaction, from a position on ({@link Canopy#changes}).
 * Used by one thread at a time, and closed.
 *
 * <p><b>Order.</b> A transaction comes after all that it depends on: what it has read, and what it
 * has overwritten. So the changes of a key come in the order in which they were made, and whoever
 * applies the transactions one after the other has a state that the index could have been read in.
 * Transactions that do not depend on each other come in any order.
 *
 * <p><b>Complete, and at least once.</b> Every committed transaction that has changed the index in
 * the feed's range is told, whole, and no other. A feed tells each one once. A feed that goes on
 * from a {@link #position} of another one may tell those again that came after that position was
 * taken.
 *
 * <p><b>Bounds.</b> An open feed keeps the versions that it has not told yet, for at most {@link
 * ClusterConfig#snapshotAgeMax}, as a transaction does. A reader that stays further behind, or
 * comes back to a position later, needs {@link ClusterConfig#retention}, or a named snapshot of
 * that state or an earlier one; otherwise it is told {@link ErrorCode#CHANGES_LOST}.
 *
 * <p>A change is told a moment after its commit: when every node knows of it, some tens of
 * milliseconds later as a rule.
 *
 * @param <K> keys
 * @param <V> values
 */
public interface ChangeFeed<K, V> extends AutoCloseable {
  /**
   * The next transaction.
   *
   * @param atMost how long to wait for it, from zero to an hour
   * @return null: none came in that time
   * @throws CanopyException {@link ErrorCode#CHANGES_LOST}; {@link ErrorCode#UNKNOWN_INDEX} once
   *     the index was dropped; {@link ErrorCode#COMMITS_LOST} where a power cut took what was told;
   *     {@link ErrorCode#SHARD_UNAVAILABLE}, {@link ErrorCode#NOT_CONNECTED}, {@link
   *     ErrorCode#OVERLOADED} and {@link ErrorCode#TIMEOUT}, after which the call may be repeated;
   *     {@link ErrorCode#INTERRUPTED}; {@link ErrorCode#CANOPY_CLOSED}
   */
  @Nullable ChangeSet<K, V> next(Duration atMost);

  /**
   * A position at or before the transaction that {@link #next} returned last: whoever goes on from
   * it misses none, and may be told some again. Transactions are read in groups, and the position
   * moves when a whole group was returned.
   */
  FeedPosition position();

  /** Frees what the feed keeps; does nothing when it is closed. */
  @Override
  void close();
}
