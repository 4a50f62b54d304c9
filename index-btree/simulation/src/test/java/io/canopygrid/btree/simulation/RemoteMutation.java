package io.canopygrid.btree.simulation;

import io.canopygrid.CommitState;
import io.canopygrid.engine.CommitNames;
import io.canopygrid.engine.SentCommit;
import io.canopygrid.gmu.protocol.Replacement;
import io.canopygrid.wire.CommitId;

/** The remote client with one rule broken, to prove that the simulation notices. */
enum RemoteMutation {
  RETRY_WITHOUT_OUTCOME(
      "what was lost with its connection is sent again without a look-up",
      Replacement.returning(SentCommit.class, "lost", SentCommit.Next.ELSEWHERE)),
  OUTCOME_OF_OTHER_NAME(
      "the outcome of the commit before is looked up",
      Replacement.replacing(
          SentCommit.class, "toLookUp", call -> before(call.proceed(CommitId.class)))),
  ERROR_IS_REFUSAL(
      "an error that leaves the outcome open counts as a refusal",
      Replacement.returning(SentCommit.class, "refused", SentCommit.Next.ELSEWHERE)),
  UNKNOWN_IS_NOT_COMMITTED(
      "what nobody can tell counts as not committed",
      Replacement.replacing(
          SentCommit.class,
          "found",
          call ->
              call.argument(0, CommitState.class) == CommitState.UNKNOWN
                  ? SentCommit.Next.ELSEWHERE
                  : call.proceed())),
  FORGETS_UNANSWERED(
      "a name may be forgotten before there is an answer",
      Replacement.replacing(
          CommitNames.class,
          "next",
          call -> {
            CommitId name = call.proceed(CommitId.class);
            call.self().answered(name);
            return name;
          }));

  /** The rule that is broken. */
  @SuppressWarnings("ImmutableEnumChecker") // a bug has no state, replacements count their calls
  final BrokenRule rule;

  RemoteMutation(String what, Replacement... replaced) {
    rule = BrokenRule.of(what, replaced);
  }

  private static CommitId before(CommitId name) {
    return new CommitId(name.client(), name.millis(), name.number() - 1, name.shard());
  }
}
