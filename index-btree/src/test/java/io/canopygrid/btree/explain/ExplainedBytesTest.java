package io.canopygrid.btree.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.explain.Explained;
import io.canopygrid.explain.ExplainedAttempt;
import io.canopygrid.explain.ExplainedStep;
import io.canopygrid.explain.ExplainedStep.At;
import io.canopygrid.explain.StepKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ExplainedBytesTest {
  private static Explained explained(String detail, List<ExplainedStep> steps) {
    return new Explained(
        "n1-7",
        "päy",
        1_790_000_000_000L,
        5_000_000,
        "CNPY-2001",
        List.of("accounts", "notes"),
        List.of(
            new ExplainedAttempt(1, 0, 17, "CNPY-2001", detail, "accounts", "other"),
            new ExplainedAttempt(2, 18, 40, "", "", "", "")),
        steps,
        3,
        Map.of(StepKind.LOCAL, 17L, StepKind.COMMIT, 1L << 40));
  }

  private static final List<ExplainedStep> STEPS =
      List.of(
          new ExplainedStep(StepKind.LOCAL, false, 1, "read", new At("accounts", 0, "", 7), -3, 9),
          new ExplainedStep(StepKind.REMOTE, true, 2, "asked", At.shard(255, "n2"), 1 << 30, 0),
          new ExplainedStep(StepKind.WAIT, false, 2, "waited", At.HERE, 0, 1));

  @Test
  void travelWithoutTheWordsOfErrors() {
    List<NodeExplained> told =
        ExplainedBytes.decode(
            ExplainedBytes.encode("n1", List.of(explained("key 7", STEPS)), true));

    assertThat(told).containsExactly(new NodeExplained("n1", explained("", STEPS)));
  }

  @Test
  void stepsStayWhereNobodyAsksForThem() {
    Explained one = explained("", STEPS);
    assertThat(ExplainedBytes.decode(ExplainedBytes.encode("n1", List.of(one, one), false)))
        .hasSize(2)
        .containsOnly(new NodeExplained("n1", explained("", List.of())));
  }
}
