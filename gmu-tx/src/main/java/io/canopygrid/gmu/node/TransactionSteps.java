package io.canopygrid.gmu.node;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CommitProgress;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.protocol.ProtocolNode;
import io.canopygrid.gmu.protocol.read.LocalRead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls that a {@link BlockingTransaction} makes on its node. Thread-safe. */
public interface TransactionSteps {
  /** The answer where this node's own primary has it at hand, else null. Does not block. */
  @Nullable LocalRead tryRead(ReadQuery query, VectorClock clock, ShardSet hasRead);

  /** The answer where this node's own copy, a backup's perhaps, is known to have it, else null. */
  @Nullable LocalRead tryReadNearest(ReadQuery query, VectorClock clock, ShardSet hasRead);

  /** {@link ProtocolNode#isOld}. */
  boolean isOld(long transaction);

  ShardMap shardMap();

  /**
   * Asks the shards' primaries, all at the same time.
   *
   * @param alone whether the transaction waits for this one read, from whose answer it goes on; may
   *     wait for it, too
   * @param deadlineNanos of the transaction
   */
  Asked ask(
      long transaction,
      List<ReadQuery> queries,
      boolean alone,
      VectorClock clock,
      ShardSet hasRead,
      long deadlineNanos);

  /** Reads that were asked for; to be closed. */
  interface Asked extends AutoCloseable {
    /**
     * Waits for all answers.
     *
     * @return in the order of the queries; null past the deadline
     */
    @Nullable List<LocalRead> await(long deadlineNanos) throws InterruptedException;

    /** No answer is waited for any more. */
    @Override
    void close();
  }

  /** Names a transaction, for people. */
  default void named(long transaction, String label) {}

  /** Lets this one hear how the next commit of a transaction goes on. */
  default void watch(long transaction, CommitProgress progress) {}

  /** Commits and waits; unknown past the deadline. */
  Outcome commit(
      long transaction, VectorClock clock, Footprint footprint, String label, long deadlineNanos)
      throws InterruptedException;

  /** A transaction has come to its end with this clock, all of which is true. */
  default void ended(VectorClock clock) {}

  /** Forgets a transaction that is not being committed. */
  void end(long transaction);
}
