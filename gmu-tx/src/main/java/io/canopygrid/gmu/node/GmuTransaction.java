package io.canopygrid.gmu.node;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One transaction at its origin: a snapshot that grows with each first read of a shard, and a
 * commit. The caller keeps its own writes until then. Confined to one thread at a time; calls
 * block, at most until the deadline given at begin.
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
   * Reads all of these in this snapshot, as if one after the other, but asks other nodes at the
   * same time. Where an answer does not fit to the others (protocol.md, Several reads at a time) it
   * is asked for again, alone: so it costs one round trip mostly, and one or two requests per query
   * that this node cannot answer itself.
   *
   * @param asked told of each request to a primary which query it was for, by its place
   * @return in the order of the queries; after an answer that is none ({@link ReadAnswer.TooOld},
   *     {@link ReadAnswer.Unavailable}) the others are good all the same
   * @throws java.util.concurrent.TimeoutException past the deadline
   * @throws java.util.concurrent.CancellationException as {@link #read} does
   * @throws NodeClosedException where the node has left the grid
   */
  List<ReadAnswer> readAll(List<ReadQuery> queries, IntConsumer asked)
      throws java.util.concurrent.TimeoutException;

  /**
   * Asks other nodes for what will probably be read next, and does not wait: the answers come while
   * the caller does something else. These reads are no part of the snapshot before they are
   * {@linkplain Ahead#take taken}.
   *
   * @return null where this node can answer the first of them itself, at once
   */
  @Nullable Ahead askAhead(List<ReadQuery> queries);

  /** Reads that were asked for ahead. Confined to the transaction's thread. */
  interface Ahead extends AutoCloseable {
    /**
     * Waits for the answers, and goes on from them as {@link #readAll} does. Of one that does not
     * fit to what was read meanwhile, or is none, the place is null: it has to be asked for anew.
     *
     * @throws java.util.concurrent.TimeoutException past the deadline
     */
    List<@Nullable ReadAnswer> take() throws java.util.concurrent.TimeoutException;

    /** Does without the answers; does nothing after {@link #take}. */
    @Override
    void close();
  }

  /**
   * From now on reads are answered by this node's own copy where that is known to have all that the
   * snapshot must see, and cost no request then; else by the primary, as before.
   */
  void readNearest();

  /** How many reads this node's own copies did not answer at once. */
  long asked();

  /**
   * Fixes the snapshot in all shards at their newest state, with one read in each, all at the same
   * time; {@link #clock} is the snapshot's then. All that was committed before this call is in it.
   * To be called before the first read.
   *
   * @return what a shard said that could not be read, upon which the transaction is of no use; null
   *     where all is well
   * @throws java.util.concurrent.TimeoutException past the deadline
   */
  @Nullable ReadAnswer fixAll() throws java.util.concurrent.TimeoutException;

  /**
   * Validates the reads, applies the writes, all or nothing. After {@link
   * Outcome.AbortReason#MOVED} and {@link Outcome.AbortReason#TOPOLOGY_CHANGED} it may be called
   * again with the footprint at its new place, after {@link Outcome.AbortReason#LOCK_TIMEOUT} as it
   * is (what it read may still be valid); any other outcome ends the transaction. A footprint
   * without reads, ranges and writes commits at once.
   *
   * @param label names the transaction in the errors of those it gets in the way of, may be empty
   */
  Outcome commit(Footprint footprint, String label);

  /** Ends the transaction without effect; does nothing when it has ended. */
  void end();

  /** The snapshot so far: at least the clock given at begin. */
  VectorClock clock();
}
