package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.HoldingTransaction;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.gmu.message.Message.ReadReply;
import java.util.List;

/**
 * The transactions that run on this node, from their begin to their end: asks for their reads, and
 * keeps the clock of each (protocol.md, Begin, Read). Confined to the protocol lock, but for begin,
 * tryEnd, and what tells of those that run.
 */
final class LocalTransactions {
  private final NodeState node;
  private final RunningTransactions running = new RunningTransactions();
  private final OpenReads reads;

  LocalTransactions(NodeState node, ShardMap shards) {
    this.node = node;
    this.reads = new OpenReads(node, shards);
  }

  // ---- on any thread

  /** Begin: a transaction starts at the node's floor, above the horizon. */
  Begun begin(VectorClock token) {
    return running.begin(token, node.horizon()::floor);
  }

  /** Begins at a clock, whatever the floor is; one that is pinned never becomes old. */
  Begun beginAt(VectorClock clock, boolean isPinned) {
    return running.begin(clock, isPinned);
  }

  /** Forgets a transaction that has asked nothing here; false: it has to be ended. */
  boolean tryEnd(long transaction) {
    return running.tryEnd(transaction);
  }

  /** As {@link RunningTransactions#named}. */
  void named(long transaction, String label) {
    running.named(transaction, label);
  }

  /** As {@link RunningTransactions#oldest}. */
  List<HoldingTransaction> oldest(int most) {
    return running.oldest(most);
  }

  /** As {@link RunningTransactions#oldestNanos()}. */
  long oldestNanos() {
    return running.oldestNanos();
  }

  // ---- under the protocol lock

  /** A transaction asks for something at this clock; false where it has ended. */
  boolean enter(long transaction, VectorClock clock) {
    return running.enter(transaction, clock, RunningTransactions.NONE);
  }

  void read(
      long transaction,
      long request,
      List<ReadQuery> queries,
      boolean alone,
      VectorClock clock,
      ShardSet hasRead) {
    if (!running.enter(transaction, clock, alone ? request : RunningTransactions.NONE)) {
      // Its handle has ended it in between, on another thread; or it has run for too long.
      reads.refuse(request, queries, clock, isOld(transaction), node.outbox()::emit);
      return;
    }
    reads.ask(transaction, request, queries, alone, clock, hasRead);
  }

  /** Answers reads on a node that has ended. */
  void refuse(long request, List<ReadQuery> queries, VectorClock clock, List<Effect> effects) {
    reads.refuse(request, queries, clock, false, effects::add);
  }

  void onReadReply(NodeId source, ReadReply reply) {
    OpenReads.Advance alone = reads.onReply(source, reply);
    if (alone != null) {
      running.advance(alone.transaction(), reply.request(), alone.clock());
    }
  }

  /** A transaction's commit was applied: its turns at what it has written went on with that. */
  void onCommitted(CommitAttempt attempt) {
    reads.onCommitted(attempt);
  }

  void end(long transaction) {
    running.end(transaction);
    reads.end(transaction);
  }

  /** Ends what has run for too long: its reads get no other answer (Garbage). */
  void tick() {
    running.tick(node.outbox().nowNanos());
    endOld().forEach(reads::endOld);
  }

  /** The transactions that hold the horizon back no longer, since they have run for too long. */
  List<Long> endOld() {
    return running.endOld(node.config().snapshotAgeMaxNanos());
  }

  /** As {@link RunningTransactions#isOld}. Any thread. */
  boolean isOld(long transaction) {
    return running.isOld(transaction);
  }

  /** Asks again for reads that have had no answer for long (Lost messages). */
  void askOverdue() {
    reads.askOverdue();
  }

  /** A topology is installed: open reads are asked again, of the new primaries. */
  void onTopology() {
    reads.askAgain();
  }

  /** This node was expelled: nobody answers reads any more. */
  void halt() {
    reads.halt();
    running.clear();
  }

  VectorClock meet(VectorClock clock) {
    return running.meet(clock);
  }

  int size() {
    return running.size();
  }
}
