package io.canopygrid.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The checker and the definition agree on every small history. */
final class BruteForceTest {
  private static final int HISTORIES = 5_000;

  static Stream<Arguments> models() {
    return Arrays.stream(Workload.values())
        .filter(workload -> workload != Workload.SINGLE_KEY)
        .flatMap(workload ->
            Arrays.stream(Model.values())
                .flatMap(model ->
                    Stream.of(true, false).map(ordered -> Arguments.of(workload, model, ordered))));
  }

  @ParameterizedTest
  @MethodSource("models")
  void agreesWithTheDefinition(Workload workload, Model model, boolean ordered) {
    int accepted = 0;
    for (long seed = 0; seed < HISTORIES; seed++) {
      History history = SmallHistories.random(seed, workload);
      Verdict verdict = HistoryChecker.check(history, model, ordered);
      boolean right = BruteForce.accepts(history, model, ordered);

      assertThat(verdict.clean())
          .as("seed %s: %s%n%s%n%s", seed, right ? "right" : "wrong", verdict, text(history))
          .isEqualTo(right);
      accepted += right ? 1 : 0;
    }

    assertThat(accepted).as("right ones").isBetween(HISTORIES / 5, HISTORIES * 4 / 5);
  }

  private static String text(History history) {
    StringBuilder text = new StringBuilder();
    history.txns().forEach(txn -> text.append(txn).append(' ').append(txn.ops()).append('\n'));
    return text.toString();
  }
}
