package io.canopygrid.btree.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.explain.Explained;
import io.canopygrid.explain.Explanation;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which transactions are recorded, and which of them are kept, in a time that the test sets. */
final class ExplainedTransactionsTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private long now = 5;
  private final ExplainedTransactions explained = new ExplainedTransactions(() -> now);

  private static Explained ended(String id, String label, long nanos) {
    return new Explained(id, label, 0, nanos, "", List.of(), List.of(), List.of(), 0, Map.of());
  }

  private List<String> kept() {
    return explained.all().stream().map(Explained::transaction).toList();
  }

  @Test
  void oneOfEachLabelPerSecondIsRecorded() {
    assertThat(explained.sample("a", now)).isInstanceOf(Explanation.class);
    assertThat(explained.sample("a", now)).isNull();
    assertThat(explained.sample("b", now)).isNotNull();
    assertThat(explained.sample("a", now + SECOND - 1)).isNull();
    assertThat(explained.sample("a", now + SECOND)).isNotNull();
    assertThat(explained.sample("a", now + SECOND)).isNull();
  }

  @Test
  void labelsBeyondTheMostAreNotRecorded() {
    for (int i = 0; i < ExplainedTransactions.LABELS_MAX; i++) {
      assertThat(explained.sample("label" + i, now)).isNotNull();
    }
    assertThat(explained.sample("more", now)).isNull();
    explained.keep(ended("n-1", "more", 7));
    assertThat(kept()).isEmpty();
  }

  @Test
  void aLabelOfWhichNothingIsKeptMakesRoom() {
    for (int i = 0; i < ExplainedTransactions.LABELS_MAX; i++) {
      explained.sample("label" + i, now);
    }
    explained.keep(ended("a1", "label1", 1));
    explained.forget("label1");
    assertThat(explained.sample("more", now)).isNull();
    explained.forget("label2");
    assertThat(explained.sample("more", now)).isNotNull();
    assertThat(kept()).containsExactly("a1");
  }

  @Test
  void theSlowestOfALabelAreKept() {
    explained.sample("a", now);
    explained.sample("b", now);
    for (int i = 1; i <= ExplainedTransactions.SLOWEST_MAX + 2; i++) {
      explained.keep(ended("a" + i, "a", i));
    }
    explained.keep(ended("b1", "b", 1));
    assertThat(kept()).containsExactly("a6", "a5", "a4", "a3", "b1");
  }

  @Test
  void whatIsOlderThanAnHourGoes() {
    explained.sample("a", now);
    explained.keep(ended("slow", "a", 9));
    now += TimeUnit.MINUTES.toNanos(40);
    explained.keep(ended("fast", "a", 1));
    now += TimeUnit.MINUTES.toNanos(30);
    assertThat(kept()).containsExactly("fast");
  }

  @Test
  void theLastThatWereAskedForComeFirst() {
    explained.sample("a", now);
    explained.keep(ended("slow", "a", 9));
    for (int i = 1; i <= ExplainedTransactions.ASKED_MAX + 1; i++) {
      explained.keepAsked(ended("asked" + i, "a", 1));
    }
    assertThat(kept())
        .hasSize(ExplainedTransactions.ASKED_MAX + 1)
        .startsWith("asked11", "asked10")
        .endsWith("asked2", "slow");
  }
}
