package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message;

/**
 * The rules of protocol.md that carry the guarantee, each a method, so that the simulation can
 * break one at a time on purpose and prove that its checker notices. Production uses {@link #ALL}.
 */
class Rules {
  static final Rules ALL = new Rules();

  /** Read, step 3: a version is tested on every shard that was read. */
  ShardSet visibilityTest(ShardSet hasRead, int shard) {
    return hasRead;
  }

  /**
   * Several reads at a time: an answer is kept if it is what the shard would have said to a
   * snapshot that has taken the others' answers before.
   */
  boolean agrees(int shard, VectorClock answered, VectorClock clock, ShardSet hasRead) {
    return answered.precedesOrEqualsOn(hasRead, clock) && clock.get(shard) <= answered.get(shard);
  }

  /**
   * Reads at backups: that a kcl has no header is for its primary to say. A backup may not have
   * been told yet, and knows nothing then of where the kcl's keys were before. Where it has a later
   * header than it may show, that one tells: it came from the same kcl as the first.
   */
  boolean backupTells(ReadAnswer answer) {
    return !(answer instanceof ReadAnswer.Redirected redirect) || redirect.header().length > 0;
  }

  /** Prepare: read keys are locked. */
  boolean locksReads() {
    return true;
  }

  /** Serializable reads: validated at commit also where nothing is written. */
  boolean validatesReadOnly() {
    return true;
  }

  /** Prepare: the headers of the kcls that are touched are locked. */
  boolean locksHeaders() {
    return true;
  }

  /** Prepare: scanned ranges are locked and validated. */
  boolean checksRanges() {
    return true;
  }

  /** Decide: a participant only read merges the commit clock. */
  boolean mergesWhereOnlyRead() {
    return true;
  }

  /** Decide: commits are applied in the order of their numbers. */
  boolean appliesInOrder() {
    return true;
  }

  /** Decide: commits with the same number are applied in one step. */
  boolean appliesTiesAtOnce() {
    return true;
  }

  /** Prepare: a proposal is never used again. */
  boolean reusesNumberOfAborted() {
    return false;
  }

  /** Prepare: the acknowledgements of backups and joiners are awaited. */
  boolean awaitsBackups() {
    return true;
  }

  /** No exposure before stability: how many must know a decision before it may be seen. */
  int mustKnow(ProtocolConfig config) {
    return config.failuresAtOnce() + 1;
  }

  /**
   * Several failures at once: what was learnt in a flush, and what is taken over, is seen only when
   * all members have settled the flush.
   */
  boolean awaitsFlushOfAll(ProtocolConfig config) {
    return config.failuresAtOnce() > 1;
  }

  /** Decide: a decision does not change when its caller gives up. */
  boolean keepsDecided() {
    return true;
  }

  /** Several failures at once: serves only when all that was kept back is applied. */
  boolean takeoverAwaitsKeptBack() {
    return true;
  }

  /** Several failures at once: what is known and kept back is no orphan. */
  boolean keepsBackFromOrphans() {
    return true;
  }

  /** Several failures at once: a joiner gets the clock of what is known and kept back. */
  boolean stateTellsKeptBack() {
    return true;
  }

  /** Partitions: a commit is told by an expelled coordinator where enough members know it. */
  int mustRemain(ProtocolConfig config) {
    return config.failuresAtOnce();
  }

  /** Flush: records of coordinators that left are aborted only with all flushes in hand. */
  boolean orphansAwaitFlush() {
    return true;
  }

  /** Flush: carries the horizon. */
  boolean flushTellsHorizon() {
    return true;
  }

  /** Term's end: applies what is ready. */
  boolean appliesReadyAtEnd() {
    return true;
  }

  /** Skipped topologies: what a joiner had before a gap, and its state lacks, is over. */
  boolean stateEndsInherited() {
    return true;
  }

  /** Skipped topologies: after a gap old answers do not count, and joiners begin anew. */
  boolean mindsGaps() {
    return true;
  }

  /** Step 3: an undone transaction holds the mark back. */
  boolean markAwaitsUndone() {
    return true;
  }

  /** Garbage: running transactions hold the horizon back. */
  boolean horizonAwaitsRunning() {
    return true;
  }

  /** Topology changes: a prepare belongs to its topology, and is not asked again in the next. */
  boolean preparesInOneTopology() {
    return true;
  }

  /** Turns: each has its bound. */
  boolean turnsHaveABound() {
    return true;
  }

  /** Lost messages: what has no answer is sent again. */
  boolean resends(Class<? extends Message> kind) {
    return true;
  }

  /** One phase: the decision carries the records of all participants. */
  boolean onePhaseCarriesAll() {
    return true;
  }

  /** Delegation: a transaction of one shard is decided by its primary. */
  boolean delegates() {
    return true;
  }

  /** Delegation: the primary answers when every holder has applied the commit. */
  boolean delegateAwaitsBackups() {
    return true;
  }

  /** Delegation: a prepare that comes again is answered as before, not judged again. */
  boolean delegateRemembersAnswers() {
    return true;
  }

  /** Delegation: nothing is decided after the topology in which it was asked. */
  boolean delegationEndsWithTopology() {
    return true;
  }

  /** Delegation: what became of it is known when the next flush is complete, and not before. */
  boolean delegationAwaitsFlush() {
    return true;
  }

  /** Decide: an answer counts only if the copy it speaks of has been kept since. */
  boolean forgetsAnswersOfDroppedCopies() {
    return true;
  }

  /** Step 3: a prepare below its coordinator's mark is refused. */
  boolean refusesBelowMark() {
    return true;
  }

  /** Taking over: only when the flush is complete. */
  boolean takeoverAwaitsFlush() {
    return true;
  }

  /** Taking over: only when each inherited record is decided. */
  boolean takeoverAwaitsInherited() {
    return true;
  }

  /** Taking over: the number that the first proposal of an epoch is above. */
  long termStart(long epochStart, long lastNumber) {
    return Math.max(lastNumber, epochStart);
  }

  /** Numbers: none is proposed after an epoch's last one. */
  boolean stopsAtTheEndOfAnEpoch() {
    return true;
  }

  /** A joining owner: is sent the records too. */
  boolean stateHasRecords() {
    return true;
  }

  /** A joining owner: up to what the primary has applied, its state replaces what is here. */
  boolean stateReplaces() {
    return true;
  }

  /** A joining owner: drops nothing before it has its state. */
  boolean joinerKeepsAll() {
    return true;
  }

  /** Begin: a transaction starts at the node's floor, above the horizon. */
  boolean beginsAtFloor() {
    return true;
  }

  /** Reads at backups: up to where a backup's copy may be read. */
  long completeUpTo(long watermark, long applied) {
    return watermark;
  }

  /** Reads at backups: a watermark is below every commit that is not known to be done. */
  boolean watermarkAwaitsDone() {
    return true;
  }

  /** Reads at backups: a commit is complete when every owner and joiner has applied it. */
  boolean completeAwaitsHolders() {
    return true;
  }

  /** Joining: a state counts in the topology only in which it was asked for. */
  boolean stateIsOfTopology(long topology, long now) {
    return topology == now;
  }

  /** Lost messages: of the state only the answer to the last question counts. */
  boolean stateAnswers(long request, long last) {
    return request == last;
  }

  /** Term's end: no one-phase transaction outlives the term in which it has its locks. */
  boolean onePhaseEndsWithTerm() {
    return true;
  }

  /** Decide: a transaction is done when its holders have applied it, not when they know it. */
  boolean doneWhenApplied() {
    return true;
  }

  /** Garbage: what is prepared or decided, and not done, holds the horizon back. */
  boolean horizonAwaitsUndone() {
    return true;
  }

  /** Garbage: a floor is made of what can be seen only. */
  boolean floorCanBeSeen() {
    return true;
  }

  /** Named snapshots: every member reports every pin. */
  boolean reportsPin(NodeId self, TxId writer) {
    return true;
  }

  /** Garbage: what may be dropped is at or below this. */
  VectorClock droppable(VectorClock horizon) {
    return horizon;
  }
}
