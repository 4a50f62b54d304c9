package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.HotPush;
import io.canopygrid.gmu.message.Message.Refusal;
import io.canopygrid.gmu.message.Message.Vote;
import io.canopygrid.gmu.protocol.Replacement.Call;
import io.canopygrid.gmu.protocol.hot.HotStream;
import io.canopygrid.gmu.protocol.hot.HotView;
import io.canopygrid.gmu.protocol.hot.KeptShard;
import io.canopygrid.gmu.protocol.membership.Placements;
import io.canopygrid.gmu.protocol.membership.Replica;
import io.canopygrid.gmu.recovery.RecoveryDecision;
import io.canopygrid.gmu.recovery.Standing;
import io.canopygrid.gmu.storage.CutContent;
import io.canopygrid.gmu.store.VersionChain;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Steps of the protocol done wrong ({@link Mutation}), where that takes more than a value. */
final class BrokenSteps {
  private BrokenSteps() {}

  /** A message or an effect of this kind does not wait until it is stored; others do. */
  static Object waitsUnless(Call<Outbox> waits, Class<?> kind) {
    return !kind.isInstance(waits.argument(0, Object.class)) && waits.proceed(Boolean.class);
  }

  /** Each transaction in the queue counts as decided. */
  static @Nullable Object expectedAnyway(Call<CommitQueue> expected) {
    VectorClock clock = (VectorClock) expected.proceed();
    boolean queued = expected.self().contains(expected.argument(0, TxId.class));
    return clock == null && queued ? VectorClock.ZERO : clock;
  }

  /** The topology that was installed first on any of the disks. */
  static @Nullable Object oldestInstalled(Call<RecoveryDecision> newest) {
    Topology oldest = null;
    for (Object of : newest.argument(0, Collection.class)) {
      Topology installed = ((Standing) of).installed();
      if (installed != null && (oldest == null || installed.id() < oldest.id())) {
        oldest = installed;
      }
    }
    return oldest;
  }

  /** Whether the shard's own number is kept. */
  static Object keepsOwnNumber(Call<CutContent> keeps) {
    int shard = keeps.argument(0, Integer.class);
    long number = keeps.argument(1, VectorClock.class).get(shard);
    return number <= keeps.field("cut", Cut.class).upTo().get(shard);
  }

  /** The word that a commit is done lacks what is at or below a clock. */
  static Object beyond(Call<NarrowClocks> committed, VectorClock clock) {
    Vote told = committed.proceed(Vote.class);
    VectorClock news = told.clock() == null ? null : told.clock().beyond(clock);
    return new Vote(
        told.tid(), told.shard(), told.topology(), news, told.refusal(), told.complete());
  }

  /** The first decided commit, wherever it stands. */
  static Object firstReady(Call<CommitQueue> head) {
    return head.self().ready().stream().limit(1).toList();
  }

  /** An abort gives its number back. */
  static @Nullable Object giveBack(Call<Term> abort) {
    Term term = abort.self();
    if (term.queue().remove(abort.argument(0, TxId.class)) != null) {
      abort.setField("lastNumber", term.lastNumber() - 1);
    }
    return null;
  }

  /** Of each participant only the first replica, its primary, is awaited. */
  static @Nullable Object awaitPrimaries(Call<Preparation> await) {
    CommitAttempt attempt = await.argument(0, CommitAttempt.class);
    Set<Integer> shards = new HashSet<>();
    for (Object asked : await.argument(1, List.class)) {
      Replica replica = (Replica) asked;
      if (shards.add(replica.shard())) {
        attempt.await(replica);
      }
    }
    return null;
  }

  /** A one-phase decision, which has its records with it, may be seen at once. */
  static Object oneKnowsOnePhase(Call<Stability> mustKnow) {
    boolean onePhase = !mustKnow.argument(0, Decision.class).records().isEmpty();
    return onePhase ? 0 : mustKnow.proceed(Integer.class);
  }

  static @Nullable Object tellWhenPrimariesHaveApplied(Call<Coordinator> checkFinished) {
    CommitAttempt attempt = checkFinished.argument(0, CommitAttempt.class);
    Decision decision = attempt.decision();
    VectorClock clock = decision == null ? null : decision.clock();
    Placements placements = checkFinished.field("node", NodeState.class).placements();
    if (clock != null && primariesHaveApplied(attempt, placements)) {
      checkFinished
          .field("outcomes", CommitOutcomes.class)
          .tell(attempt, new Outcome.Committed(clock));
    }
    return checkFinished.proceed();
  }

  private static boolean primariesHaveApplied(CommitAttempt attempt, Placements placements) {
    for (int shard : attempt.participants()) {
      NodeId primary = placements.primary(shard);
      if (primary == null) {
        return false;
      }
      Replica replica = new Replica(primary, shard);
      if (!placements.counts(replica, attempt.appliedIn(replica))) {
        return false;
      }
    }
    return true;
  }

  static VectorClock oneAbove(VectorClock horizon) {
    VectorClock above = horizon;
    for (int i = 0; i < horizon.size(); i++) {
      above = above.with(horizon.shardAt(i), horizon.numberAt(i) + 1);
    }
    return above;
  }

  /** Only what is written is validated. */
  static Object hasWrites(Call<Coordinator> needsValidation) {
    for (Object part : needsValidation.argument(0, Map.class).values()) {
      if (!((Footprint) part).writes().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** A pin counts only at the node that made it. */
  static @Nullable Object meetOwnPin(Call<Garbage> meetPin) {
    NodeId writer = meetPin.argument(1, VersionChain.class).writer().coordinator();
    boolean own = writer.equals(meetPin.field("node", NodeState.class).self());
    return own ? meetPin.proceed() : meetPin.argument(0, VectorClock.class);
  }

  /** A chain without its cold version. */
  static @Nullable Object withoutCold(Call<VersionChain> warmed) {
    return warmed.self().hasCold() ? null : warmed.self();
  }

  /** A decision that is told counts as applied everywhere. */
  static @Nullable Object completeWhenPushed(Call<Dissemination> push) {
    Decision decision = push.argument(0, CommitAttempt.class).decision();
    if (decision != null) {
      push.field("node", NodeState.class).decisions().onReplicated(decision);
    }
    return push.proceed();
  }

  static @Nullable Object abortOrphansAtOnce(Call<Replicas> onTopology) {
    onTopology.proceed();
    onTopology.self().abortOrphans();
    return null;
  }

  static @Nullable Object tellAbortedAnyway(Call<Coordinator> leave) {
    CommitAttempt attempt = leave.argument(0, CommitAttempt.class);
    Refusal givenUp = new Refusal(AbortReason.LOCK_TIMEOUT, null, null, null, null);
    leave
        .field("outcomes", CommitOutcomes.class)
        .tellAborted(attempt.transaction(), attempt.tid(), givenUp);
    return null;
  }

  /** A commit that was answered is judged again. */
  static Object judgeAgain(Call<DelegatedCommits> answerAgain) {
    TxId tid = answerAgain.argument(0, TxId.class);
    if (answerAgain.field("answers", Map.class).containsKey(tid)) {
      answerAgain.field("attempts", Map.class).remove(tid);
    }
    return false;
  }

  /** A commit that was answered before is answered as it was judged last. */
  static @Nullable Object answerAnew(Call<DelegatedCommits> answer) {
    answer.field("answers", Map.class).remove(answer.argument(0, Vote.class).tid());
    return answer.proceed();
  }

  /** The first number that a hot copy can have, with each read. */
  static Object fixedAnew(Call<HotView> fixed) {
    HotView view = fixed.self();
    return fixed.argument(0, VectorClock.class).with(view.shard(), view.upTo());
  }

  static @Nullable Object newestOfNew(Call<HotStream> versionsSince) {
    VersionChain all = (VersionChain) versionsSince.proceed();
    return all == null
        ? null
        : VersionChain.of(
            all.tid(), all.writer(), all.sequenceNumber(), all.clock(), all.value(), null);
  }

  /** Whether a push is a later one than the last, perhaps not the next. */
  static Object isLater(Call<KeptShard> isNext) {
    return isNext.self().view() != null
        && isNext.argument(0, HotPush.class).number() > isNext.field("taken", Long.class);
  }
}
