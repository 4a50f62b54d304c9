package io.canopygrid.transaction;

import io.canopygrid.CanopyException;
import io.canopygrid.TransactionListener;
import io.canopygrid.TransactionListener.Call;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.engine.StepRecorder;
import io.canopygrid.explain.ExplainedAttempts;
import io.canopygrid.explain.Explanation;

/** Records the steps of one transaction with its attempts. Confined to one thread at a time. */
final class StepRecording extends ExplainedAttempts {
  /** The code of a transaction that its caller has ended without an error of Canopy. */
  private static final String ENDED = "ended";

  private final StepRecorder recorder;
  private final boolean isReading;

  StepRecording(StepRecorder recorder, Explanation explanation, Call call) {
    super(explanation);
    this.recorder = recorder;
    this.isReading = call == Call.READ || call == Call.PUBLISH;
  }

  /** The attempt has a transaction of the engine. */
  void has(EngineTransaction begun) {
    begun.explainIn(explained());
  }

  @Override
  public void ended(TransactionListener.Outcome outcome) {
    if (!outcome.transactionId().isEmpty()) {
      recorder.ended(explained().ended(outcome.transactionId(), code(outcome), outcome.indexes()));
    }
  }

  private String code(TransactionListener.Outcome outcome) {
    if (outcome.committed() || (isReading && outcome.error() == null)) {
      return "";
    }
    return outcome.error() instanceof CanopyException e ? e.code().id() : ENDED;
  }
}
