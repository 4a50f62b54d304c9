package io.canopygrid.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Long right histories are accepted, and small damage to them is found. */
final class LongHistoryTest {
  private static final int SIZE = 3_000;

  @Test
  void acceptsTwoHundredThousandTransactions() {
    Verdict verdict =
        HistoryChecker.check(
            SerialDatabase.history(1, Workload.LIST_APPEND, 200_000),
            Model.EXTENDED_UPDATE_SERIALIZABLE,
            true);

    assertThat(verdict.clean()).as(verdict.toString()).isTrue();
    assertThat(verdict.updates()).isGreaterThan(80_000);
  }

  @ParameterizedTest
  @EnumSource(names = {"LIST_APPEND", "INDEX_SCAN"})
  void acceptsSnapshotsThatDisagree(Workload workload) {
    for (long seed = 0; seed < 10; seed++) {
      Verdict verdict =
          HistoryChecker.check(
              SerialDatabase.history(seed, workload, SIZE),
              Model.EXTENDED_UPDATE_SERIALIZABLE,
              true);

      assertThat(verdict.clean()).as("seed %s: %s", seed, verdict).isTrue();
    }
  }

  @Test
  void findsThatTheyDisagree() {
    History history = SerialDatabase.history(1, Workload.LIST_APPEND, SIZE);

    assertThat(HistoryChecker.check(history, Model.SERIALIZABLE, false).counts())
        .containsOnlyKeys(Anomaly.LONG_FORK);
  }

  /** The rate of what is not always wrong is a property of the seed, and it must not fall. */
  @ParameterizedTest
  @CsvSource({"SWAP, 100", "GAP, 100", "LOSS, 100", "PAST, 45"})
  void findsDamage(Damage damage, int percentLeast) {
    History history = SerialDatabase.history(5, Workload.LIST_APPEND, SIZE);

    assertThat(damage.foundPercent(history, 40, 5)).isGreaterThanOrEqualTo(percentLeast);
  }
}
