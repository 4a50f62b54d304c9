package io.canopygrid.engine;

import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.explain.Explanation;
import io.canopygrid.names.SnapshotNames;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One transaction over any number of indexes. Confined to one thread at a time, apart from {@link
 * #cutOff}. All methods throw {@link io.canopygrid.CanopyException}.
 */
public interface EngineTransaction {
  /** Names the transaction in errors. */
  String id();

  /** An index of the same engine in this transaction: the same view each time. */
  EngineView on(OpenIndex index);

  /**
   * Reads the definitions of a table for a writer of its rows. This read is not validated. Instead
   * the commit of rows that are written is refused where they have to be in an index that is not in
   * the list. So it need not go to where the definitions are.
   *
   * @return the list of the table's indexes; null: there is none
   */
  byte @Nullable [] definitions(OpenIndex definitions, OpenIndex rows);

  /**
   * Whether a change of one key that the transaction had read has ended it: see {@link
   * #queueAfter}.
   */
  default boolean hasLostKey() {
    return false;
  }

  /**
   * Waits for this transaction's turn at the key that an earlier attempt has lost, for a bounded
   * time for each transaction before it; the read of that key is new then. Called before anything
   * else.
   */
  default void queueAfter(EngineTransaction failed) {}

  /**
   * Makes the first read of a key wait for this transaction's turn, as it does for all that want to
   * change the key.
   */
  default void queueAt(OpenIndex index, byte[] key) {}

  /** From now on its steps are recorded, where the engine can do that. */
  default void explainIn(Explanation recorder) {}

  /** Counts the commit at each index that the transaction has used. */
  void countCommit();

  /** The clock of all that the transaction has seen so far. */
  VectorClock clock();

  /** The grid that the clock is of; null: it has no id, as in a simulation. */
  default @Nullable GridId grid() {
    return null;
  }

  /**
   * The named snapshot that the transaction reads ({@link SnapshotNames#exact}); empty: the
   * present.
   */
  default String snapshot() {
    return "";
  }

  /** The names of the indexes that it has used so far. */
  default List<String> indexNames() {
    return List.of();
  }

  /** Requests so far that waited for another node. */
  int remoteRequests();

  /** Answers so far that a key was elsewhere. */
  int redirects();

  /**
   * Commits, and ends the transaction, also when it throws.
   *
   * @return the clock of all that it has seen and done
   */
  VectorClock commit();

  /** Ends the transaction without effect; does nothing when it has ended. */
  void end();

  /**
   * Ends the transaction without effect, from another thread: all further calls fail with this
   * reason.
   */
  void cutOff(ErrorCode code, String why);
}
