package io.canopygrid.engine;

import io.canopygrid.ErrorCode;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.names.SnapshotNames;

/**
 * One transaction over any number of indexes. Confined to one thread at a time, apart from {@link
 * #cutOff}. All methods throw {@link io.canopygrid.CanopyException}.
 */
public interface EngineTransaction {
  /** Names it in errors. */
  String id();

  /** An index of the same engine in this transaction: the same view each time. */
  EngineView on(OpenIndex index);

  /** Whether a change of one key has ended it, which it had read: see {@link #queueAfter}. */
  default boolean hasLostKey() {
    return false;
  }

  /**
   * Begins with waiting, a bounded time for each of those before, until it is this one's turn at
   * the key that an earlier attempt has lost; what it reads of that key is new then. Called before
   * anything else is done.
   */
  default void queueAfter(EngineTransaction failed) {}

  /** The first read of a key will wait for this one's turn, as others who want to change it do. */
  default void queueAt(OpenIndex index, byte[] key) {}

  /** Counts its commit at each index that it has used. */
  void countCommit();

  /** The clock of what it has seen so far. */
  VectorClock clock();

  /**
   * The named snapshot that it reads ({@link SnapshotNames#exact}); empty: it reads the present.
   */
  default String snapshot() {
    return "";
  }

  /** Requests so far that waited for another node. */
  int remoteRequests();

  /** Answers so far that a key was elsewhere. */
  int redirects();

  /**
   * Commits, and ends the transaction, also when it throws.
   *
   * @return the clock of what it has seen and done
   */
  VectorClock commit();

  /** Ends it without effect; does nothing when it has ended. */
  void end();

  /** Ends it without effect, from another thread: it can only say why from now on. */
  void cutOff(ErrorCode code, String why);
}
