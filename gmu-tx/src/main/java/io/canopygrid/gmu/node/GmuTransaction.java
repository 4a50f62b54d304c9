package io.canopygrid.gmu.node;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CommitProgress;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One transaction at its origin: a snapshot that grows with what it is shown, and a commit. The
 * caller keeps its own writes until then. Confined to one thread at a time; calls block, at most
 * until the deadline given at begin.
 */
public interface GmuTransaction {
  /**
   * Reads at the query's primary, in this snapshot. Costs one remote request where the primary is
   * another node, none where it is this one.
   *
   * @throws java.util.concurrent.TimeoutException past the deadline
   * @throws java.util.concurrent.CancellationException where the thread was interrupted; its flag
   *     is set again
   * @throws NodeClosedException where the node has left the grid
   */
  ReadAnswer read(ReadQuery query) throws java.util.concurrent.TimeoutException;

  /**
   * The same where this node has the answer at hand; null, and nothing is asked: it has not. Does
   * not block.
   *
   * @throws NodeClosedException where the node has left the grid
   */
  @Nullable ReadAnswer readAtHand(ReadQuery query);

  /**
   * Reads all of these in this snapshot, as if one after the other, but asks other nodes at the
   * same time. A read whose answer does not fit the others (protocol.md, Several reads at a time)
   * is sent again, alone. So the call mostly costs one round trip, and one or two requests per
   * query that this node cannot answer itself.
   *
   * @param asked told of each request to a primary which query it was for, by its place
   * @return in the order of the queries; if one has no answer ({@link ReadAnswer.TooOld}, {@link
   *     ReadAnswer.Unavailable}) the other answers are good nevertheless
   * @throws java.util.concurrent.TimeoutException past the deadline
   * @throws java.util.concurrent.CancellationException as {@link #read} does
   * @throws NodeClosedException where the node has left the grid
   */
  List<ReadAnswer> readAll(List<ReadQuery> queries, IntConsumer asked)
      throws java.util.concurrent.TimeoutException;

  /**
   * Asks other nodes for the reads that probably come next, and does not wait: the answers come
   * while the caller does something else. These reads are no part of the snapshot before they are
   * {@linkplain Ahead#take taken}.
   *
   * @return null where this node can answer the first of them itself, at once
   */
  @Nullable Ahead askAhead(List<ReadQuery> queries);

  /** Reads that were asked for ahead. Confined to the transaction's thread. */
  interface Ahead extends AutoCloseable {
    /**
     * Waits for the answers, and goes on from them as {@link #readAll} does. Null in the list: the
     * answer does not fit the reads made meanwhile, or there is none, and the caller has to ask
     * anew.
     *
     * @throws java.util.concurrent.TimeoutException past the deadline
     */
    List<@Nullable ReadAnswer> take() throws java.util.concurrent.TimeoutException;

    /** Does without the answers; does nothing after {@link #take}. */
    @Override
    void close();
  }

  /**
   * From now on this node's own copy answers reads, without a request, where it is known to have
   * all that the snapshot must see. Otherwise the primary answers, as before.
   */
  void readNearest();

  /** The number of reads that this node's own copies did not answer at once. */
  long asked();

  /**
   * Fixes the snapshot in all shards at their newest state, with one read in each, all at the same
   * time; {@link #clock} is the snapshot's then. All that was committed before this call is in it.
   * To be called before the first read.
   *
   * @return the answer of a shard that could not be read, after which the transaction is of no use;
   *     null where all is well
   * @throws java.util.concurrent.TimeoutException past the deadline
   */
  @Nullable ReadAnswer fixAll() throws java.util.concurrent.TimeoutException;

  /**
   * Validates the reads and applies the writes, all or nothing. After {@link
   * Outcome.AbortReason#MOVED} and {@link Outcome.AbortReason#TOPOLOGY_CHANGED} it may be called
   * again with the footprint at its new place. After {@link Outcome.AbortReason#LOCK_TIMEOUT} it
   * may be called again with the same footprint, because its reads may still be valid. Any other
   * outcome ends the transaction. A footprint without reads, ranges and writes commits at once.
   *
   * @param label names the transaction in the errors of transactions that it makes fail, may be
   *     empty
   */
  Outcome commit(Footprint footprint, String label);

  /** Names it, for people who look for what keeps old versions; it may be left out. */
  default void named(String label) {}

  /** Lets this one hear how the next {@link #commit} goes on. */
  default void watch(CommitProgress progress) {}

  /** Ends the transaction without effect; does nothing when it has ended. */
  void end();

  /** The snapshot so far: at least the clock given at begin. */
  VectorClock clock();
}
