package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.simulation.NodeFactory;
import io.canopygrid.gmu.simulation.Reads;
import io.canopygrid.gmu.simulation.SimulationOptions;
import io.canopygrid.gmu.spi.Fences;

/** The protocol with one rule broken, to prove that the simulation notices. */
@SuppressWarnings("ImmutableEnumChecker") // reads and rules keep no state
enum Mutation {
  NO_MERGE(
      "a participant only read does not merge the commit clock",
      new Rules() {
        @Override
        boolean mergesWhereOnlyRead() {
          return false;
        }
      }),
  OWN_COMPONENT(
      "a read tests a version on its own shard only",
      new Rules() {
        @Override
        ShardSet visibilityTest(ShardSet hasRead, int shard) {
          return ShardSet.EMPTY.with(shard);
        }
      }),
  NO_SHARED_LOCKS(
      "read keys and ranges are not locked",
      new Rules() {
        @Override
        boolean locksReads() {
          return false;
        }
      }),
  NO_RANGE(
      "scans are neither validated nor locked",
      new Rules() {
        @Override
        boolean checksRanges() {
          return false;
        }
      }),
  DECIDE_ORDER("commits are applied in the order of decisions", BrokenCommits.DECIDE_ORDER),
  TIE_BY_ID("equal numbers are applied one by one", BrokenCommits.TIE_BY_ID),
  REUSE_NUMBER(
      "an abort gives its proposal back",
      new Rules() {
        @Override
        boolean reusesNumberOfAborted() {
          return true;
        }
      }),
  EARLY_EXPOSE(
      "the coordinator applies before another node knows the decision",
      new Rules() {
        @Override
        int mustKnow(ProtocolConfig config) {
          return 1;
        }
      }),
  NO_BACKUP_ACK(
      "the acknowledgements of backups are not awaited",
      new Rules() {
        @Override
        boolean awaitsBackups() {
          return false;
        }
      }),
  NO_FLUSH(
      "a new primary does not wait for what the others know",
      new Rules() {
        @Override
        boolean takeoverAwaitsFlush() {
          return false;
        }
      }),
  NO_INHERIT_WAIT(
      "a new primary serves before its inherited transactions are decided",
      new Rules() {
        @Override
        boolean takeoverAwaitsInherited() {
          return false;
        }
      }),
  NO_EPOCH(
      "a new primary starts no new epoch",
      new Rules() {
        @Override
        long termStart(long epochStart, long lastNumber) {
          return lastNumber;
        }
      }),
  GC_OFF_BY_ONE(
      "the horizon is one too high",
      new Rules() {
        @Override
        VectorClock droppable(VectorClock horizon) {
          VectorClock above = horizon;
          for (int i = 0; i < horizon.size(); i++) {
            above = above.with(horizon.shardAt(i), horizon.numberAt(i) + 1);
          }
          return above;
        }
      }),
  ONE_PHASE_PART(
      "the one-phase message carries only the writes of its shard", BrokenCommits.ONE_PHASE_PART),
  STATE_WITHOUT_RECORDS(
      "the state of a shard lacks its prepared transactions",
      new Rules() {
        @Override
        boolean stateHasRecords() {
          return false;
        }
      }),
  NO_LOW_MARK(
      "a late prepare of a finished transaction is accepted",
      new Rules() {
        @Override
        boolean refusesBelowMark() {
          return false;
        }
      }),
  OLD_ACKS(
      "acknowledgements count although the node has lost its copy since",
      new Rules() {
        @Override
        boolean forgetsAnswersOfDroppedCopies() {
          return false;
        }
      }),
  BEGIN_AT_TOKEN(
      "a transaction begins below the horizon",
      new Rules() {
        @Override
        boolean beginsAtFloor() {
          return false;
        }
      }),
  SERIALIZABLE_UNVALIDATED(
      "serializable reads are not validated where nothing is written",
      Reads.ALL,
      new Rules() {
        @Override
        boolean validatesReadOnly() {
          return false;
        }
      }),
  PIN_UNREPORTED(
      "a named snapshot does not hold the horizon",
      Reads.ALL,
      new Rules() {
        @Override
        boolean reportsPin(NodeId self, TxId writer) {
          return false;
        }
      }),
  PIN_NOT_CARRIED_OVER(
      "only who took a named snapshot holds the horizon for it",
      Reads.ALL,
      new Rules() {
        @Override
        boolean reportsPin(NodeId self, TxId writer) {
          return writer.coordinator().equals(self);
        }
      }),
  NEAREST_WITH_GAPS(
      "a backup answers without a watermark", Reads.ALL, BrokenReads.NEAREST_WITH_GAPS),
  WATERMARK_TOO_HIGH(
      "a primary tells as watermark what it has applied itself",
      Reads.ALL,
      BrokenReads.WATERMARK_TOO_HIGH),
  COMPLETE_WHEN_DECIDED(
      "a primary counts as complete what is decided and not applied everywhere",
      Reads.ALL,
      BrokenReads.COMPLETE_WHEN_DECIDED),
  PARALLEL_READS_KEPT(
      "all answers to reads asked for at the same time are kept",
      Reads.ALL,
      new Rules() {
        @Override
        boolean agrees(int shard, VectorClock answered, VectorClock clock, ShardSet hasRead) {
          return true;
        }
      }),
  PARALLEL_READ_TOO_NEW(
      "an answer is kept that shows more than the other answers",
      Reads.ALL,
      new Rules() {
        @Override
        boolean agrees(int shard, VectorClock answered, VectorClock clock, ShardSet hasRead) {
          return clock.get(shard) <= answered.get(shard);
        }
      }),
  PARALLEL_READ_TOO_OLD(
      "an answer is kept that shows less than the other answers",
      Reads.ALL,
      new Rules() {
        @Override
        boolean agrees(int shard, VectorClock answered, VectorClock clock, ShardSet hasRead) {
          return answered.precedesOrEqualsOn(hasRead, clock);
        }
      }),
  COUNTER_RUNS_OVER(
      "a primary goes on into the numbers of the next epoch",
      new Rules() {
        @Override
        boolean stopsAtTheEndOfAnEpoch() {
          return false;
        }
      }),
  STATE_MERGES(
      "a joiner keeps what is missing in the state",
      new Rules() {
        @Override
        boolean stateReplaces() {
          return false;
        }
      }),
  TWO_KNOW_ENOUGH(
      "two nodes must know a decision, and two fail at once",
      new Rules() {
        @Override
        int mustKnow(ProtocolConfig config) {
          return 2;
        }
      }),
  FLUSHED_IS_STABLE(
      "what was learnt in a flush is seen at once, and two fail at once",
      new Rules() {
        @Override
        boolean awaitsFlushOfAll(ProtocolConfig config) {
          return false;
        }
      }),
  SERVES_TOO_EARLY(
      "a new primary serves before all is applied that was kept back, and two fail at once",
      new Rules() {
        @Override
        boolean takeoverAwaitsKeptBack() {
          return false;
        }
      }),
  ORPHANS_KEPT_BACK(
      "what is known and kept back is aborted with its coordinator",
      new Rules() {
        @Override
        boolean keepsBackFromOrphans() {
          return false;
        }
      }),
  STATE_HIDES_KEPT_BACK(
      "a joiner gets what is known and kept back as undecided",
      new Rules() {
        @Override
        boolean stateTellsKeptBack() {
          return false;
        }
      }),
  COMMITTED_UNHEARD(
      "an expelled coordinator tells a commit that nobody has heard of",
      new Rules() {
        @Override
        int mustRemain(ProtocolConfig config) {
          return 0;
        }
      }),
  ORPHANS_AT_ONCE(
      "records of a coordinator that left are aborted before the flush is complete",
      new Rules() {
        @Override
        boolean orphansAwaitFlush() {
          return false;
        }
      }),
  FLUSH_WITHOUT_HORIZON(
      "a new member does not hear of the horizon",
      new Rules() {
        @Override
        boolean flushTellsHorizon() {
          return false;
        }
      }),
  READY_DROPPED(
      "a term ends, and what was ready is not applied",
      new Rules() {
        @Override
        boolean appliesReadyAtEnd() {
          return false;
        }
      }),
  GAP_UNNOTICED(
      "a skipped topology is taken for none",
      new Rules() {
        @Override
        boolean mindsGaps() {
          return false;
        }
      }),
  MARK_TOO_HIGH(
      "the mark does not wait for what is not done",
      new Rules() {
        @Override
        boolean markAwaitsUndone() {
          return false;
        }
      }),
  HORIZON_OVERTAKES(
      "the horizon does not wait for running transactions",
      new Rules() {
        @Override
        boolean horizonAwaitsRunning() {
          return false;
        }
      }),
  PREPARE_RETARGETED(
      "a prepare is asked again in the next topology",
      new Rules() {
        @Override
        boolean preparesInOneTopology() {
          return false;
        }
      }),
  NO_SECOND_READ(
      "a lost message of this kind is not sent again",
      new Rules() {
        @Override
        boolean resends(Class<? extends Message> kind) {
          return kind != Message.Read.class;
        }
      }),
  NO_SECOND_PREPARE(
      "a lost message of this kind is not sent again",
      new Rules() {
        @Override
        boolean resends(Class<? extends Message> kind) {
          return kind != Message.Prepare.class;
        }
      }),
  NO_SECOND_DECISION(
      "a lost message of this kind is not sent again",
      new Rules() {
        @Override
        boolean resends(Class<? extends Message> kind) {
          return kind != Message.Decide.class;
        }
      }),
  NO_SECOND_FLUSH(
      "a lost message of this kind is not sent again",
      new Rules() {
        @Override
        boolean resends(Class<? extends Message> kind) {
          return kind != Message.Flush.class;
        }
      }),
  NO_SECOND_STATE(
      "a lost message of this kind is not sent again",
      new Rules() {
        @Override
        boolean resends(Class<? extends Message> kind) {
          return kind != Message.StateRequest.class;
        }
      }),
  STATE_OF_OLD(
      "a joiner takes a state that was sent in an older topology",
      new Rules() {
        @Override
        boolean stateIsOfTopology(long topology, long now) {
          return true;
        }
      }),
  STATE_MIXED(
      "a joiner takes chunks of several answers",
      new Rules() {
        @Override
        boolean stateAnswers(long request, long last) {
          return true;
        }
      }),
  ONE_PHASE_OUTLIVES(
      "a one-phase transaction commits after the end of the term that gave it its number",
      BrokenCommits.ONE_PHASE_OUTLIVES),
  DONE_WHEN_KNOWN(
      "a transaction is done when all know it and some have not applied it",
      new Rules() {
        @Override
        boolean doneWhenApplied() {
          return false;
        }
      }),
  HORIZON_LEAVES_UNDONE(
      "the horizon does not wait for what is not done",
      new Rules() {
        @Override
        boolean horizonAwaitsUndone() {
          return false;
        }
      }),
  FLOOR_OF_BACKUPS(
      "a floor is raised to what a backup has applied and nobody can see",
      new Rules() {
        @Override
        boolean floorCanBeSeen() {
          return false;
        }
      }),
  GIVEN_UP_ANYWAY(
      "a caller that gives up is told that its decided commit is aborted",
      new Rules() {
        @Override
        boolean keepsDecided() {
          return false;
        }
      }),
  INHERITED_FOREVER(
      "a joiner keeps records of before a gap that its state lacks",
      new Rules() {
        @Override
        boolean stateEndsInherited() {
          return false;
        }
      }),
  JOINER_DROPS(
      "a joiner drops garbage before it has its state",
      new Rules() {
        @Override
        boolean joinerKeepsAll() {
          return false;
        }
      }),
  DELEGATE_ANSWERS_EARLY(
      "a primary answers what was delegated to it before its backups have it",
      BrokenCommits.DELEGATE_ANSWERS_EARLY),
  DELEGATE_JUDGES_AGAIN(
      "a primary that has refused what was delegated to it judges it anew when it comes again",
      BrokenCommits.DELEGATE_JUDGES_AGAIN),
  DELEGATION_OUTLIVES(
      "what was delegated in an older topology is decided in this one",
      BrokenCommits.DELEGATION_OUTLIVES),
  DELEGATION_FORGOTTEN(
      "what was delegated to a primary that left is aborted before the flush tells what it was",
      BrokenCommits.DELEGATION_FORGOTTEN),
  TURN_WITHOUT_BOUND(
      "a turn that others wait for ends when its end is told, and not before",
      Reads.ALL,
      BrokenReads.TURN_WITHOUT_BOUND);

  private final String what;
  private final Reads reads;
  private final Rules rules;

  Mutation(String what, Rules rules) {
    this(what, Reads.PLAIN, rules);
  }

  Mutation(String what, Reads reads, Rules rules) {
    this.what = what;
    this.reads = reads;
    this.rules = rules;
  }

  String what() {
    return what;
  }

  /** A run of this size, with what is needed to notice. */
  SimulationOptions options(SimulationOptions size) {
    return this == COUNTER_RUNS_OVER ? size.with(reads).withCounterBits(2) : size.with(reads);
  }

  Rules rules() {
    return rules;
  }

  /** Nodes with the broken rule. */
  NodeFactory nodes() {
    return (id, shards, config, stores) ->
        new ProtocolNode(id, shards, config, stores, Fences.NONE, rules);
  }
}
