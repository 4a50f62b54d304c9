package io.canopygrid.gmu.message;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.store.VersionChain;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message from one node to another. Immutable; may arrive in any order, and twice. */
public sealed interface Message {
  /** A message that means something in one topology only. */
  sealed interface InTopology extends Message {
    /** The sender's topology. */
    long topology();
  }

  /**
   * Asks a primary to read.
   *
   * @param request the sender's number for it
   * @param clock the transaction's, or its components of {@code shard} and {@code hasRead} alone
   * @param whole whether it is the transaction's whole clock
   */
  record Read(
      long topology,
      long request,
      int shard,
      ReadQuery query,
      VectorClock clock,
      ShardSet hasRead,
      boolean whole)
      implements InTopology {}

  /**
   * To a primary: the transaction that asked for its turn at a key, with the read of this number,
   * gives it up, or has had it.
   */
  record TurnEnded(long topology, int shard, CompositeKey key, long request)
      implements InTopology {}

  /**
   * The answer. Only a request's first one counts.
   *
   * @param clock the snapshot's after it; where the read had not its whole clock, the components
   *     that may be missing in that one
   * @param inTurn whether it is the reader's turn at the key, which others may wait for
   */
  record ReadReply(long request, int shard, VectorClock clock, ReadAnswer answer, boolean inTurn)
      implements Message {}

  /**
   * Asks an owner for the numbers that it knows to be given, of the shards that a clock from
   * outside names; {@code request} is the sender's number for the question.
   */
  record NumbersAsked(long topology, long request, VectorClock clock) implements InTopology {}

  /**
   * The answer.
   *
   * @param given the highest number known at the sender of each shard asked for
   * @param last the shards of which this is the last number given: the sender serves them
   */
  record NumbersTold(long request, VectorClock given, ShardSet last) implements Message {}

  /**
   * Asks an owner or learner to store the record, and the primary to lock, validate and vote. A
   * prepare of a one-phase transaction from another node delegates it: the primary also decides.
   */
  record Prepare(long topology, TxRecord record) implements InTopology {}

  /**
   * A vote, or a backup's or learner's word that it has the record, or the outcome of a transaction
   * that was delegated.
   *
   * @param clock what the commit comes after, from a primary that says yes; the commit clock, from
   *     one that has decided; both without what is at or below the record's snapshot, the latter
   *     from level 9 on; null from a backup
   * @param refusal the reason of a no; null: yes
   * @param complete from a primary that has decided: up to this number every owner has all commits
   */
  record Vote(
      TxId tid,
      int shard,
      long topology,
      @Nullable VectorClock clock,
      @Nullable Refusal refusal,
      long complete)
      implements Message {}

  /**
   * The outcome of a transaction.
   *
   * @param record where the receiver has not said that it has it
   * @param stable enough nodes know it for it to be seen: a primary may apply it
   * @param complete of the shard's primary: up to this number every owner has all commits; else 0
   */
  record Decide(
      long topology,
      int shard,
      @Nullable TxRecord record,
      Decision decision,
      boolean stable,
      long complete)
      implements InTopology {}

  /** The decision is known, and, of a primary, applied where {@code applied}. */
  record Ack(TxId tid, int shard, long topology, boolean applied) implements Message {}

  /**
   * All decisions to commit that the sender knows and that are not done, its horizon, and the cuts
   * that it knows of.
   */
  record Flush(long topology, List<Decision> decisions, VectorClock horizon, List<Cut> cuts)
      implements InTopology {}

  /** The sender has every member's flush and settled what was in it. */
  record FlushDone(long topology) implements InTopology {}

  /**
   * A learner asks a primary for a shard's state; {@code request} counts how often it has.
   *
   * @param has the commits that its copy has already, as its disk says
   */
  record StateRequest(long topology, int shard, long request, UpTo has) implements InTopology {}

  /**
   * A copy has every commit up to a number, and no other one will come at or below it.
   *
   * @param topology the one in which that was known
   * @param number 0: nothing is known
   */
  record UpTo(long topology, long number) {
    public static final UpTo NOTHING = new UpTo(0, 0);

    /** Whether anything is known. */
    public boolean isKnown() {
      return number > 0;
    }
  }

  /**
   * A shard's state, in one or more chunks, the last one marked.
   *
   * @param request which request this answers: chunks of two answers do not fit together
   * @param since the chains are those of the keys that have changed above this number, the one that
   *     the learner has asked with; 0: those of all keys
   * @param gone keys that have changed above it and have no versions any more
   * @param founded the id of the topology with which the grid was founded last
   */
  record State(
      long topology,
      int shard,
      long request,
      int chunk,
      boolean last,
      List<KeyVersions> chains,
      List<LogEntry> log,
      long applied,
      VectorClock mostRecent,
      List<Resolved> records,
      long since,
      List<CompositeKey> gone,
      long founded)
      implements Message {
    /** The same with other chains. */
    public State withChains(List<KeyVersions> others) {
      return new State(
          topology,
          shard,
          request,
          chunk,
          last,
          others,
          log,
          applied,
          mostRecent,
          records,
          since,
          gone,
          founded);
    }
  }

  /**
   * All of the sender's transactions with a counter below {@code below} are done: all replicas in
   * its topology know their decisions.
   *
   * @param disk the trouble of the sender's disk; null: none (Disks in trouble)
   */
  record LowWaterMark(long topology, long below, @Nullable DiskTrouble disk)
      implements InTopology {}

  /** From a primary to an owner: up to where each shard's commits are at all owners. */
  record Watermarks(long topology, List<Watermark> shards) implements InTopology {}

  /** Every commit of a shard up to this number is at all owners, and there will be no other. */
  record Watermark(int shard, long number) {}

  /**
   * To the oldest member.
   *
   * @param clock the lowest clock in use at the sender
   * @param floor the clock at which its transactions begin
   */
  record HorizonReport(long topology, VectorClock clock, VectorClock floor) implements InTopology {}

  /**
   * From the oldest member: no clock in use is below {@code clock}.
   *
   * @param floor the maximum of all members' floors, so that also one that never saw a shard lets
   *     that shard's horizon rise
   */
  record Horizon(VectorClock clock, VectorClock floor) implements Message {}

  /**
   * From a node whose callers read at the nearest copy.
   *
   * @param reads the receiver's entries that the sender has answered reads of since the last one
   */
  record HotServed(long topology, List<KeyReads> reads) implements InTopology {}

  /** A key, and how many reads of it were answered. */
  record KeyReads(CompositeKey key, long reads) {}

  /**
   * From a primary to a keeper of hot copies: all that it has applied of the keys that are kept.
   *
   * @param number counts the pushes to this keeper in this topology, from 1
   * @param begins what was kept is dropped, and these are whole chains
   * @param upTo up to this number no version of the keys is missing
   * @param horizon versions below it may be missing; zero: below none but those told before
   * @param changed the versions that are new, or whole chains of keys that were not kept
   * @param gone the keys that are no more kept
   */
  record HotPush(
      long topology,
      int shard,
      long number,
      boolean begins,
      long upTo,
      VectorClock horizon,
      List<KeyVersions> changed,
      List<CompositeKey> gone)
      implements InTopology {}

  /** To a primary: a keeper of hot copies has missed a push. */
  record HotAsk(long topology, int shard) implements InTopology {}

  /** A key and its chain, as state is sent. */
  record KeyVersions(CompositeKey key, VersionChain chain) {}

  /** A commit that a shard has applied. */
  record LogEntry(long sequenceNumber, TxId tid, VectorClock clock) {}

  /** A record and, where it is decided to commit, its commit clock. */
  record Resolved(TxRecord record, @Nullable VectorClock clock) {}

  /**
   * One shard's part of a transaction.
   *
   * @param snapshot the transaction's clock at prepare
   * @param footprint what it read and writes in this shard
   */
  record TxRecord(
      TxId tid,
      int shard,
      List<Integer> participants,
      VectorClock snapshot,
      Footprint footprint,
      boolean onePhase,
      String label) {}

  /**
   * A decision.
   *
   * @param clock the commit clock; null: abort
   * @param records of a one-phase commit all its records, else none
   */
  record Decision(
      TxId tid,
      @Nullable VectorClock clock,
      List<Integer> participants,
      VectorClock snapshot,
      List<TxRecord> records) {}

  /** Why a prepare was refused; see {@link io.canopygrid.gmu.Outcome.Aborted}. */
  record Refusal(
      io.canopygrid.gmu.Outcome.AbortReason reason,
      @Nullable CompositeKey key,
      @Nullable TxId other,
      @Nullable String otherLabel,
      byte @Nullable [] header) {}
}
