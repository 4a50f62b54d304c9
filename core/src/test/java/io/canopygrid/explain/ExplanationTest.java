package io.canopygrid.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.explain.ExplainedStep.At;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Steps, attempts and sums of a transaction in a time that the test advances. */
final class ExplanationTest {
  private long now = 1_000;
  private final Explanation explanation = new Explanation("payment", () -> now);

  private void step(StepKind kind, long nanos) {
    long began = explanation.now();
    now += nanos;
    explanation.add(kind, "a step", At.HERE, began);
  }

  @Test
  void stepsCountFromTheBeginningAndPartsAreInNoSum() {
    step(StepKind.LOCAL, 10);
    now += 5;
    step(StepKind.COMMIT, 100);
    explanation.addPart(StepKind.COMMIT, "a part", At.node("n2"), 1_020, 1_080);
    now += 7;

    Explained explained = explanation.ended("n1-1", "", List.of());

    assertThat(explained.nanos()).isEqualTo(122);
    assertThat(explained.steps())
        .extracting(ExplainedStep::beganNanos, ExplainedStep::nanos, ExplainedStep::isPart)
        .containsExactly(tuple(0L, 10L, false), tuple(15L, 100L, false), tuple(20L, 60L, true));
    assertThat(explained.sums()).isEqualTo(Map.of(StepKind.LOCAL, 10L, StepKind.COMMIT, 100L));
    assertThat(explained.otherNanos()).isEqualTo(12);
  }

  @Test
  void stepsBeyondTheMostAreCountedAndInTheSums() {
    for (int i = 0; i < Explanation.STEPS_MAX + 3; i++) {
      step(StepKind.REMOTE, 2);
    }
    Explained explained = explanation.ended("n1-1", "", List.of());
    assertThat(explained.steps()).hasSize(Explanation.STEPS_MAX);
    assertThat(explained.leftOut()).isEqualTo(3);
    assertThat(explained.sums())
        .isEqualTo(Map.of(StepKind.REMOTE, 2L * (Explanation.STEPS_MAX + 3)));
  }

  @Test
  void anAttemptSaysWhyItEndedAndWithWhom() {
    explanation.attemptBegins(1);
    now += 4;
    explanation.attemptEnded(
        new CanopyException(
            ErrorCode.WRITE_CONFLICT,
            "key 1 was written",
            CommitState.NOT_COMMITTED,
            "n1-1",
            null,
            Map.of("index", "accounts", "other", "refund")));
    explanation.attemptBegins(2);
    step(StepKind.LOCAL, 3);
    explanation.attemptEnded(null);

    Explained explained = explanation.ended("n1-2", "", List.of());

    assertThat(explained.attempts())
        .containsExactly(
            new ExplainedAttempt(1, 0, 4, "CNPY-2001", "key 1 was written", "accounts", "refund"),
            new ExplainedAttempt(2, 4, 3, "", "", "", ""));
    assertThat(explained.steps()).extracting(ExplainedStep::attempt).containsExactly(2);
  }
}
