package io.canopygrid.transaction;

import io.canopygrid.CanopyException;
import io.canopygrid.TransactionListener;
import io.canopygrid.TransactionListener.Call;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.engine.StepRecorder;
import io.canopygrid.explain.ExplainedStep.At;
import io.canopygrid.explain.Explanation;
import io.canopygrid.explain.StepKind;

/** Records the steps of one transaction with its attempts. Confined to one thread at a time. */
final class StepRecording implements TransactionListener.Watch {
  /** The code of a transaction that its caller has ended without an error of Canopy. */
  private static final String ENDED = "ended";

  private final StepRecorder recorder;
  private final Explanation explanation;
  private final boolean isReading;
  private long endedNanos;

  StepRecording(StepRecorder recorder, Explanation explanation, Call call) {
    this.recorder = recorder;
    this.explanation = explanation;
    this.isReading = call == Call.READ || call == Call.PUBLISH;
  }

  /** The attempt has a transaction of the engine. */
  void has(EngineTransaction begun) {
    begun.explainIn(explanation);
  }

  @Override
  public void attemptBegins(int number) {
    if (number > 1) {
      explanation.add(StepKind.WAIT, "waited before it tries again", At.HERE, endedNanos);
    }
    explanation.attemptBegins(number);
  }

  @Override
  public void attemptEnded(TransactionListener.Outcome outcome) {
    endedNanos = explanation.now();
    explanation.attemptEnded(outcome.error() instanceof CanopyException e ? e : null);
  }

  @Override
  public void ended(TransactionListener.Outcome outcome) {
    if (!outcome.transactionId().isEmpty()) {
      recorder.ended(explanation.ended(outcome.transactionId(), code(outcome), outcome.indexes()));
    }
  }

  private String code(TransactionListener.Outcome outcome) {
    if (outcome.committed() || (isReading && outcome.error() == null)) {
      return "";
    }
    return outcome.error() instanceof CanopyException e ? e.code().id() : ENDED;
  }
}
