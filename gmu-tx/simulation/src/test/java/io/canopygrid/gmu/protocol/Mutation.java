package io.canopygrid.gmu.protocol;

import static io.canopygrid.gmu.protocol.Replacement.replacing;
import static io.canopygrid.gmu.protocol.Replacement.returning;
import static io.canopygrid.gmu.protocol.Replacement.skipping;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.protocol.copy.KnownPart;
import io.canopygrid.gmu.protocol.copy.MergedClocks;
import io.canopygrid.gmu.protocol.copy.ShardCopy;
import io.canopygrid.gmu.protocol.copy.StateChunks;
import io.canopygrid.gmu.protocol.garbage.Decisions;
import io.canopygrid.gmu.protocol.garbage.HorizonTracker;
import io.canopygrid.gmu.protocol.hot.HotStream;
import io.canopygrid.gmu.protocol.hot.HotView;
import io.canopygrid.gmu.protocol.hot.KeptShard;
import io.canopygrid.gmu.protocol.lock.LockRequest;
import io.canopygrid.gmu.protocol.lock.Validation;
import io.canopygrid.gmu.protocol.membership.FlushRound;
import io.canopygrid.gmu.protocol.membership.KnownCuts;
import io.canopygrid.gmu.protocol.membership.Placements;
import io.canopygrid.gmu.protocol.read.LocalRead;
import io.canopygrid.gmu.protocol.read.ShardView;
import io.canopygrid.gmu.recovery.RecoveryDecision;
import io.canopygrid.gmu.recovery.Standing;
import io.canopygrid.gmu.simulation.Reads;
import io.canopygrid.gmu.simulation.SimulationOptions;
import io.canopygrid.gmu.storage.CutContent;
import io.canopygrid.gmu.storage.StepChanges;
import io.canopygrid.gmu.store.VersionChain;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The protocol with one rule broken, to prove that the simulation notices: one method, or a few,
 * that keep the rule are replaced.
 */
@SuppressWarnings("ImmutableEnumChecker") // replacements only count their calls
enum Mutation {
  NO_MERGE(
      "a participant only read does not merge the commit clock",
      skipping(ShardCopy.class, "applyReadOnly")),
  OWN_COMPONENT(
      "a read tests a version on its own shard only",
      replacing(ShardView.class, "tested", call -> ShardSet.EMPTY.with(call.self().shard())),
      returning(LocalRead.class, "showsNoMore", true)),
  SHOWN_NOT_JOINED(
      "a reader does not take over the clocks of what it is shown",
      replacing(ShardView.class, "joined", call -> call.argument(0, VectorClock.class))),
  WRITERS_NOT_JOINED(
      "a commit is not above those that wrote what it overwrites",
      returning(MergedClocks.class, "newestClock", VectorClock.ZERO)),
  READERS_NOT_JOINED(
      "a commit is not above those that read what it overwrites",
      skipping(MergedClocks.class, "mergeReader")),
  READERS_WHO_WROTE_NOT_JOINED(
      "a commit is not above those that read what it overwrites, and wrote something else",
      returning(Footprint.class, "readsMoreThanItWrites", false)),
  NO_SHARED_LOCKS(
      "read keys and ranges are not locked",
      skipping(LockRequest.class, "lockReads"),
      skipping(LockRequest.class, "lockRanges")),
  NO_RANGE(
      "scans are neither validated nor locked",
      skipping(LockRequest.class, "lockRanges"),
      returning(Validation.class, "checkRanges", null)),
  DECIDE_ORDER(
      "commits are applied in the order of decisions",
      replacing(CommitQueue.class, "head", BrokenSteps::firstReady)),
  TIE_BY_ID(
      "equal numbers are applied one by one",
      replacing(CommitQueue.class, "inOneStep", call -> call.proceed(List.class).subList(0, 1))),
  REUSE_NUMBER(
      "an abort gives its proposal back", replacing(Term.class, "abort", BrokenSteps::giveBack)),
  EARLY_EXPOSE(
      "the coordinator applies before another node knows the decision",
      replacing(Stability.class, "mustKnow", call -> Math.min(1, call.proceed(Integer.class)))),
  NO_BACKUP_ACK(
      "the acknowledgements of backups are not awaited",
      replacing(Preparation.class, "await", BrokenSteps::awaitPrimaries),
      replacing(Stability.class, "mustKnow", BrokenSteps::oneKnowsOnePhase),
      replacing(Coordinator.class, "checkFinished", BrokenSteps::tellWhenPrimariesHaveApplied)),
  NO_FLUSH(
      "a new primary does not wait for what the others know",
      returning(Term.class, "awaitsFlush", false)),
  NO_INHERIT_WAIT(
      "a new primary serves before its inherited transactions are decided",
      returning(Term.class, "awaitsInherited", false)),
  NO_EPOCH(
      "a new primary starts no new epoch",
      replacing(Term.class, "epochStart", call -> call.self().lastNumber())),
  GC_OFF_BY_ONE(
      "the horizon is one too high",
      replacing(
          HorizonTracker.class,
          "droppable",
          call -> BrokenSteps.oneAbove(call.proceed(VectorClock.class)))),
  ONE_PHASE_PART(
      "the one-phase message carries only the writes of its shard",
      returning(Dissemination.class, "carriesRecords", false)),
  STATE_WITHOUT_RECORDS(
      "the state of a shard lacks its prepared transactions",
      returning(Term.class, "belongsToState", false)),
  NO_LOW_MARK(
      "a late prepare of a finished transaction is accepted",
      returning(Decisions.class, "isTooLate", false)),
  BEGIN_AT_TOKEN(
      "a transaction begins below the horizon",
      replacing(
          LocalTransactions.class,
          "begin",
          call -> call.self().beginAt(call.argument(0, VectorClock.class), true))),
  SERIALIZABLE_UNVALIDATED(
      "serializable reads are not validated where nothing is written",
      Reads.ALL,
      replacing(Coordinator.class, "needsValidation", BrokenSteps::hasWrites)),
  PIN_UNREPORTED(
      "a named snapshot does not hold the horizon",
      Reads.ALL,
      replacing(Garbage.class, "meetPin", call -> call.argument(0, VectorClock.class))),
  PIN_NOT_CARRIED_OVER(
      "only who took a named snapshot holds the horizon for it",
      Reads.ALL,
      replacing(Garbage.class, "meetPin", BrokenSteps::meetOwnPin)),
  NEAREST_WITH_GAPS(
      "a backup answers without a watermark",
      Reads.ALL,
      replacing(
          StoredShard.class,
          "completeUpTo",
          call -> call.field("copy", ShardCopy.class).log().applied())),
  WATERMARK_TOO_HIGH(
      "a primary tells as watermark what it has applied itself",
      Reads.ALL,
      replacing(Decisions.class, "completeUpTo", call -> call.argument(1, Long.class))),
  COMPLETE_WHEN_DECIDED(
      "a primary counts as complete what is decided and not applied everywhere",
      Reads.ALL,
      replacing(Dissemination.class, "push", BrokenSteps::completeWhenPushed)),
  PARALLEL_READS_KEPT(
      "all answers to reads asked for at the same time are kept",
      Reads.ALL,
      ProtocolBugs.PARALLEL_READS_KEPT),
  PARALLEL_READ_TOO_NEW(
      "an answer is kept that shows more than the other answers",
      Reads.ALL,
      returning(LocalRead.class, "showsNoMore", true)),
  PARALLEL_READ_TOO_OLD(
      "an answer is kept that shows less than the other answers",
      Reads.ALL,
      returning(LocalRead.class, "showsNoLess", true)),
  COUNTER_RUNS_OVER(
      "a primary goes on into the numbers of the next epoch",
      returning(Term.class, "withoutNumber", null)),
  STATE_MERGES(
      "a learner keeps what is missing in the state", skipping(ShardCopy.class, "dropUpTo")),
  TWO_KNOW_ENOUGH(
      "two nodes must know a decision, and two fail at once",
      replacing(Stability.class, "mustKnow", call -> Math.min(2, call.proceed(Integer.class)))),
  FLUSHED_IS_STABLE(
      "what was learnt in a flush is seen at once, and two fail at once",
      returning(NodeState.class, "awaitsFlushOfAll", false)),
  SERVES_TOO_EARLY(
      "a new primary serves before all is applied that was kept back, and two fail at once",
      replacing(FlushRound.class, "isResolved", call -> call.self().isDone())),
  ORPHANS_KEPT_BACK(
      "what is known and kept back is aborted with its coordinator",
      returning(Replicas.class, "isKeptBack", false)),
  STATE_HIDES_KEPT_BACK(
      "a learner gets what is known and kept back as undecided",
      returning(Term.class, "keptBack", null)),
  COMMITTED_UNHEARD(
      "an expelled coordinator tells a commit that nobody has heard of",
      returning(CommitOutcomes.class, "mustRemain", 0)),
  ORPHANS_AT_ONCE(
      "records of a coordinator that left are aborted before the flush is complete",
      replacing(Replicas.class, "onTopology", BrokenSteps::abortOrphansAtOnce)),
  FLUSH_WITHOUT_HORIZON(
      "a new member does not hear of the horizon",
      returning(TopologyChanges.class, "flushedHorizon", VectorClock.ZERO)),
  READY_DROPPED(
      "a term ends, and what was ready is not applied", skipping(Participant.class, "applyReady")),
  GAP_UNNOTICED(
      "a skipped topology is taken for none", returning(Placements.class, "skipsSome", false)),
  MARK_TOO_HIGH(
      "the mark does not wait for what is not done",
      returning(CommitAttempts.class, "hasUndone", false)),
  HORIZON_OVERTAKES(
      "the horizon does not wait for running transactions",
      replacing(Coordinator.class, "meetInUse", call -> call.argument(0, VectorClock.class))),
  PREPARE_RETARGETED(
      "a prepare is asked again in the next topology",
      replacing(
          Preparation.class,
          "topologyOf",
          call -> call.field("node", NodeState.class).placements().id())),
  NO_SECOND_READ(
      "a lost message of this kind is not sent again", skipping(OpenReads.class, "askOverdue")),
  NO_SECOND_PREPARE(
      "a lost message of this kind is not sent again", skipping(Preparation.class, "prepareAgain")),
  NO_SECOND_DECISION(
      "a lost message of this kind is not sent again", skipping(Dissemination.class, "pushAgain")),
  NO_SECOND_FLUSH(
      "a lost message of this kind is not sent again",
      skipping(TopologyChanges.class, "flushAgain")),
  NO_SECOND_STATE(
      "a lost message of this kind is not sent again", skipping(IncomingState.class, "askAgain")),
  STATE_OF_OLD(
      "a learner takes a state that was sent in an older topology",
      returning(IncomingState.class, "isOfThisTopology", true)),
  STATE_MIXED(
      "a learner takes chunks of several answers",
      returning(StateChunks.class, "answersLastRequest", true)),
  ONE_PHASE_OUTLIVES(
      "a one-phase transaction commits after the end of the term that gave it its number",
      returning(Term.class, "endsWith", false)),
  DONE_WHEN_KNOWN(
      "a transaction is done when all know it and some have not applied it",
      returning(Dissemination.class, "isApplied", true)),
  HORIZON_LEAVES_UNDONE(
      "the horizon does not wait for what is not done",
      replacing(Garbage.class, "meetUndone", call -> call.argument(0, VectorClock.class))),
  FLOOR_OF_BACKUPS(
      "a floor is raised to what a backup has applied and nobody can see",
      returning(Garbage.class, "canBeSeen", true)),
  GIVEN_UP_ANYWAY(
      "a caller that gives up is told that its decided commit is aborted",
      replacing(Coordinator.class, "leave", BrokenSteps::tellAbortedAnyway)),
  INHERITED_FOREVER(
      "a learner keeps records of before a gap that its state lacks",
      returning(StateChunks.class, "over", Set.of())),
  JOINER_DROPS(
      "a learner drops garbage before it has its state",
      returning(StoredShard.class, "mayDrop", true)),
  DELEGATE_ANSWERS_EARLY(
      "a primary answers what was delegated to it before its backups have it",
      returning(DelegatedCommits.class, "isReplicated", true)),
  DELEGATE_JUDGES_AGAIN(
      "a primary that has refused what was delegated to it judges it anew when it comes again",
      replacing(DelegatedCommits.class, "answerAgain", BrokenSteps::judgeAgain),
      replacing(DelegatedCommits.class, "answer", BrokenSteps::answerAnew)),
  DELEGATION_OUTLIVES(
      "what was delegated in an older topology is decided in this one",
      skipping(Participant.class, "dropDelegated")),
  DELEGATION_FORGOTTEN(
      "what was delegated to a primary that left is aborted before the flush tells what it was",
      returning(Coordinator.class, "awaitsFlush", false)),
  CLOCK_NOT_HEARD(
      "a primary gives numbers that clocks from outside have named", skipping(Term.class, "hear")),
  CLOCK_NOT_SETTLED(
      "a read waits for a number that a clock from outside has named",
      returning(Term.class, "settled", 0L)),
  EMPTY_COPY_SERVES(
      "an owner without a copy takes its shard for a new one, though others own it",
      returning(Replicas.class, "mayBeEmpty", true)),
  TURN_WITHOUT_BOUND(
      "a turn that others wait for ends when its end is told, and not before",
      Reads.ALL,
      skipping(Turns.class, "endOverdue")),
  OLD_READS_ON(
      "a transaction that has run for too long reads on, and holds the horizon back",
      returning(LocalTransactions.class, "endOld", List.of())),
  OLD_TAKES_ANSWERS(
      "a transaction that has run for too long takes the answers that it waits for",
      skipping(OpenReads.class, "endOld")),
  OLD_COMMITS(
      "a transaction that has run for too long commits",
      returning(LocalTransactions.class, "enter", true)),
  ASKED_WITHOUT_SHARD(
      "a read does not say what its snapshot knows of the shard",
      replacing(
          NarrowClocks.class,
          "asked",
          call -> call.argument(0, VectorClock.class).on(call.argument(2, ShardSet.class), -1))),
  ASKED_WITHOUT_READ(
      "a read does not say what its snapshot knows of the shards that it has read",
      replacing(
          NarrowClocks.class,
          "asked",
          call ->
              call.argument(0, VectorClock.class)
                  .on(ShardSet.EMPTY, call.argument(1, Integer.class)))),
  ANSWERED_BEYOND_FLOOR(
      "an answer leaves out what its reader need not know",
      replacing(
          NarrowClocks.class,
          "known",
          call -> call.field("horizon", HorizonTracker.class).floor())),
  COMMITTED_BEYOND_OWN(
      "who decides for another node tells less than what that one lacks",
      replacing(
          NarrowClocks.class,
          "committed",
          call -> BrokenSteps.beyond(call, call.field("horizon", HorizonTracker.class).floor()))),
  HOT_TOO_OLD(
      "a hot copy answers a snapshot that must see more",
      Reads.ALL_AND_HOT,
      returning(HotView.class, "isNewEnough", true)),
  HOT_NOT_FIXED(
      "each read in hot copies of a shard has another number",
      Reads.ALL_AND_HOT,
      replacing(HotView.class, "fixed", BrokenSteps::fixedAnew),
      returning(LocalRead.class, "showsNoMore", true)),
  HOT_CLOCK_LOST(
      "a reader does not take over the clocks of what a hot copy has shown",
      Reads.ALL_AND_HOT,
      replacing(HotView.class, "joined", call -> call.argument(0, VectorClock.class))),
  HOT_GAP(
      "a keeper takes a push though it has missed the one before",
      Reads.ALL_AND_HOT,
      replacing(KeptShard.class, "isNext", BrokenSteps::isLater)),
  HOT_NEWEST_ONLY(
      "a push has only the newest of the new versions",
      Reads.ALL_AND_HOT,
      replacing(HotStream.class, "versionsSince", BrokenSteps::newestOfNew)),
  HOT_W_OF_QUEUE(
      "a push tells as applied what is given",
      Reads.ALL_AND_HOT,
      replacing(HotStream.class, "upTo", call -> call.argument(1, Long.class))),
  HOT_OF_OLD_TERM(
      "a push goes on with the stream of an older topology",
      Reads.ALL_AND_HOT,
      returning(KeptShard.class, "isOfStream", true)),
  FOLLOWED_CLOCK_LOST(
      "a write does not come after the one that it follows",
      returning(Term.class, "followed", VectorClock.ZERO)),
  FOLLOWS_UNDECIDED(
      "a write follows one that can still be aborted",
      replacing(CommitQueue.class, "expected", BrokenSteps::expectedAnyway)),
  VOTE_BEFORE_STORED(
      "a vote does not wait until the record is stored",
      replacing(Outbox.class, "waits", call -> BrokenSteps.waitsUnless(call, Message.Vote.class))),
  ACK_BEFORE_STORED(
      "an acknowledgement does not wait until the commit is stored",
      replacing(Outbox.class, "waits", call -> BrokenSteps.waitsUnless(call, Message.Ack.class))),
  DONE_BEFORE_STORED(
      "the end of a flush is said before what it has resolved is stored",
      replacing(
          Outbox.class, "waits", call -> BrokenSteps.waitsUnless(call, Message.FlushDone.class))),
  SYNCED_BEFORE_STORED(
      "a learner says that its copy is complete before that is stored",
      replacing(
          Outbox.class,
          "mustBeStored",
          call -> BrokenSteps.waitsUnless(call, Effect.Synced.class))),
  SEEN_BEFORE_STORED(
      "readers see a commit before it is stored", skipping(StoredShard.class, "restOn")),
  NOTHING_RELIED_ON(
      "what is said waits for no change", returning(StepChanges.class, "isReliedOn", false)),
  DECISIONS_NOT_TOLD(
      "the disks' decisions are not told in the flush",
      returning(Decisions.class, "commits", List.of())),
  IN_DOUBT_FORGOTTEN(
      "what is prepared and decided nowhere is left as it is",
      skipping(Replicas.class, "abortOrphans")),
  STALE_DISK_WINS(
      "the oldest topology on the disks decides who owned what",
      replacing(RecoveryDecision.class, "newest", BrokenSteps::oldestInstalled)),
  OLD_STATE_TAKEN(
      "a learner takes a state whose undecided transactions are done meanwhile",
      returning(IncomingState.class, "isDoneSince", false)),
  DECIDED_SEEN_AT_ONCE(
      "what a disk has decided is seen before another node knows of it",
      returning(NodeState.class, "awaitsFlushOfAll", false)),
  FORGOTTEN_IN_QUEUE(
      "the decision of a coordinator that left is dropped before its commit is applied",
      returning(Replicas.class, "countQueued", 0)),
  EVICTED_UNREADABLE(
      "a value leaves memory before the disk tells it",
      returning(StoredShard.class, "readableUpTo", Long.MAX_VALUE)),
  WARMED_ANYWAY(
      "a value that was read goes to its key, whatever the key has now",
      returning(ShardCopy.class, "isStill", true)),
  COLD_NOT_SENT(
      "a state leaves out what is on the disk only",
      replacing(VersionChain.class, "warmed", BrokenSteps::withoutCold)),
  CLOSED_SERVES(
      "a primary serves while versions are on its disk only",
      returning(Term.class, "awaitsDisk", false)),
  CLOSED_READ(
      "a backup is read while versions are on its disk only",
      Reads.ALL,
      replacing(StoredShard.class, "mayBeRead", call -> call.field("synced", Boolean.class))),
  CLOSED_PRUNED(
      "log entries of versions that are on the disk only are dropped",
      returning(StoredShard.class, "lacksVersions", false)),
  STORED_OVER_NEWER(
      "what the disk has of a key replaces what has come since",
      replacing(ShardCopy.class, "withStored", call -> call.argument(1, VersionChain.class))),
  OPENED_FOR_ANOTHER(
      "versions of the disk go to a copy that has begun anew since they were asked for",
      returning(Openings.class, "isOf", true)),
  CHANGES_WITHOUT_REMOVALS(
      "a node that comes back does not hear which keys are gone",
      returning(ShardCopy.class, "removedSince", List.of())),
  CHANGES_KEEP_UNDONE(
      "a node that comes back keeps what its disk has above its watermark",
      returning(KnownPart.class, "isKnown", true)),
  WATERMARK_OF_APPLIED(
      "a disk takes what its copy has applied for its watermark",
      replacing(
          Participant.class,
          "knownUpTo",
          call -> call.field("copy", ShardCopy.class).log().applied())),
  REMOVALS_FORGOTTEN(
      "a primary that has forgotten removals sends changes all the same",
      returning(ShardCopy.class, "knowsRemovals", true)),
  POWER_CUT_UNNOTICED(
      "a grid is founded as if no disk lacked anything",
      returning(Standing.class, "mayLack", false)),
  CUT_BY_OWN_COMPONENT(
      "a cut looks at the shard's own number only",
      replacing(CutContent.class, "keeps", BrokenSteps::keepsOwnNumber)),
  CUT_FORGETS_CUT(
      "a founding does not know of the cut of one that did not end",
      returning(Standing.class, "cut", null)),
  CUT_KEEPS_DECISIONS(
      "decisions are told after a cut",
      replacing(CutContent.class, "decisions", call -> call.argument(0, List.class))),
  HORIZON_ABOVE_FORCED(
      "the horizon is above what owners have forced",
      replacing(Garbage.class, "meetForced", call -> call.argument(0, VectorClock.class))),
  OWNER_BEFORE_FORCED(
      "a learner becomes an owner before its watermark is forced",
      returning(IncomingState.class, "mayOwn", true)),
  STALE_COPY_KEEPS_CUT(
      "a disk that comes back keeps what a cut has taken since",
      replacing(
          IncomingState.class,
          "replacedUpTo",
          call -> call.argument(0, Message.State.class).applied())),
  LOSS_NOT_TOLD(
      "a session that has seen what a cut took is not told",
      returning(KnownCuts.class, "lostBy", null)),
  LOSS_TOLD_IN_VAIN(
      "a session is told of a cut for numbers that were given after it",
      returning(KnownCuts.class, "hasTaken", true)),
  CUTS_NOT_TOLD_ON(
      "a node that joins does not hear of the cuts before",
      returning(Message.Flush.class, "cuts", List.of()));

  private final String what;
  private final Reads reads;
  private final List<Replacement> replaced;

  Mutation(String what, Replacement... replaced) {
    this(what, Reads.PLAIN, replaced);
  }

  Mutation(String what, Reads reads, Replacement... replaced) {
    this.what = what;
    this.reads = reads;
    this.replaced = List.of(replaced);
  }

  String what() {
    return what;
  }

  /** Whether it is a rule of what is stored, which only runs with disks come to. */
  boolean isOfDisks() {
    return compareTo(VOTE_BEFORE_STORED) >= 0;
  }

  /** Whether it is a rule of values that are on disks only. */
  boolean isOfEviction() {
    return compareTo(EVICTED_UNREADABLE) >= 0 && compareTo(COLD_NOT_SENT) <= 0;
  }

  /** Whether it is a rule of copies of disks that are read late. */
  boolean isOfClosedCopies() {
    return compareTo(CLOSED_SERVES) >= 0 && compareTo(OPENED_FOR_ANOTHER) <= 0;
  }

  /** Whether it is a rule of nodes that come back with their disks. */
  boolean isOfReturns() {
    return compareTo(CHANGES_WITHOUT_REMOVALS) >= 0 && !isOfPowerCuts();
  }

  /** Whether it is a rule of what is left after a power cut. */
  boolean isOfPowerCuts() {
    return compareTo(POWER_CUT_UNNOTICED) >= 0;
  }

  /** A run of this size, with what is needed to notice. */
  SimulationOptions options(SimulationOptions size) {
    return this == COUNTER_RUNS_OVER ? size.with(reads).withCounterBits(2) : size.with(reads);
  }

  /** Runs something with the broken rule; fails where the run does not come to the rule. */
  <R> R during(Supplier<R> run) {
    R result = Replacement.during(replaced, run);
    Replacement.requireCalled(replaced);
    return result;
  }
}
