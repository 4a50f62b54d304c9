package io.canopygrid.btree.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.btree.load.LoadHistory.Use;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Steps of time, by a clock of the test. */
final class LoadHistoryTest {
  private static final long STEP = TimeUnit.SECONDS.toNanos(LoadHistory.STEP_SECONDS);

  private final LoadHistory history = new LoadHistory();

  private static Use use(long reads) {
    return new Use(1, new byte[] {1}, null, reads, 0, 0);
  }

  @Test
  void aStepIsDueOnceItsTimeHasPassed() {
    assertThat(history.isDue(5)).isFalse();
    assertThat(history.isDue(4 + STEP)).isFalse();
    assertThat(history.isDue(5 + STEP)).isTrue();
    history.add(5 + 2 * STEP, List.of(use(7)));
    assertThat(history.isDue(4 + 3 * STEP)).isFalse();
    assertThat(history.steps()).hasSize(1);
    assertThat(history.steps().get(0).seconds()).isEqualTo(2.0 * LoadHistory.STEP_SECONDS);
  }

  @Test
  void anHourIsKept() {
    history.isDue(0);
    for (int step = 1; step <= LoadHistory.STEPS_MAX + 3; step++) {
      history.add(step * STEP, List.of(use(step)));
    }
    assertThat(history.steps()).hasSize(LoadHistory.STEPS_MAX);
    assertThat(history.steps().get(0).uses().get(0).reads()).isEqualTo(LoadHistory.STEPS_MAX + 3);
    assertThat(history.steps().get(LoadHistory.STEPS_MAX - 1).uses().get(0).reads()).isEqualTo(4);
  }

  @Test
  void ofManySubtreesThoseThatWereUsedMostAreKept() {
    List<Use> uses = new ArrayList<>();
    for (int i = 1; i <= LoadHistory.USES_MAX + 10; i++) {
      uses.add(use(i));
    }
    history.isDue(0);
    history.add(STEP, uses);
    assertThat(history.steps().get(0).uses())
        .hasSize(LoadHistory.USES_MAX)
        .noneMatch(kept -> kept.reads() <= 10);
  }
}
