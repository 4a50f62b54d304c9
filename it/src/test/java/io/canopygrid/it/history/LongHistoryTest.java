package io.canopygrid.it.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Long right histories are accepted, and small damage to them is found. */
final class LongHistoryTest {
  private static final int SIZE = 3_000;
  private static final int MUTATIONS = 60;

  @Test
  void acceptsTwoHundredThousandTransactions() {
    Verdict verdict =
        HistoryChecker.check(SerialDatabase.history(1, Workload.LIST_APPEND, 200_000));

    assertThat(verdict.clean()).as(verdict.toString()).isTrue();
    assertThat(verdict.updates()).isGreaterThan(80_000);
  }

  @ParameterizedTest
  @EnumSource(names = {"LIST_APPEND", "INDEX_SCAN"})
  void acceptsSnapshotsThatDisagree(Workload workload) {
    for (long seed = 0; seed < 10; seed++) {
      Verdict verdict = HistoryChecker.check(SerialDatabase.history(seed, workload, SIZE));

      assertThat(verdict.clean()).as("seed %s: %s", seed, verdict).isTrue();
    }
  }

  @Test
  void alwaysFindsTwoElementsSwapped() {
    assertThat(found(read -> read.observed().length > 1, LongHistoryTest::swap)).isEqualTo(100);
  }

  @Test
  void alwaysFindsAnElementMissingInTheMiddle() {
    assertThat(found(read -> read.observed().length > 1, read -> without(read, 0))).isEqualTo(100);
  }

  @Test
  void alwaysFindsAnAcknowledgedAppendThatIsNowhere() {
    int found = 0;
    History history = SerialDatabase.history(7, Workload.LIST_APPEND, SIZE);
    Random random = new Random(7);
    for (int i = 0; i < MUTATIONS; i++) {
      Op append = pick(history, random, op -> op.kind() == Op.Kind.APPEND);
      boolean there =
          history.txns().stream()
              .flatMap(txn -> txn.ops().stream())
              .anyMatch(op -> reads(op, append));
      if (there) {
        List<Txn> txns = new ArrayList<>(history.txns());
        txns.replaceAll(txn -> txn.withOps(forget(txn, append)));
        Verdict verdict = HistoryChecker.check(history.withTxns(txns));
        assertThat(verdict.counts()).as("%s", append).isNotEmpty();
        found++;
      }
    }
    assertThat(found).isGreaterThan(MUTATIONS / 2);
  }

  /**
   * A read moved back by one element is a violation only if something else says that it came later,
   * which for most reads nothing does: a snapshot may be old. The rate is a property of the
   * generator's seed, and it must not fall.
   */
  @Test
  void oftenFindsAReadMovedToThePast() {
    int percent =
        found(
            read -> read.observed().length > 4,
            read -> SerialDatabase.changed(read, head(read, 4)));

    assertThat(percent).isGreaterThanOrEqualTo(45);
  }

  /** Damages one read of an acknowledged transaction at a time: how many in a hundred are found. */
  private static int found(Predicate<Op> fits, UnaryOperator<Op> damage) {
    History history = SerialDatabase.history(5, Workload.LIST_APPEND, SIZE);
    Random random = new Random(5);
    int found = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      Op victim = pick(history, random, op -> op.kind() == Op.Kind.READ && fits.test(op));
      List<Txn> txns = new ArrayList<>(history.txns());
      txns.replaceAll(txn -> txn.withOps(replace(txn.ops(), victim, damage.apply(victim))));
      found += HistoryChecker.check(history.withTxns(txns)).clean() ? 0 : 1;
    }
    return found * 100 / MUTATIONS;
  }

  private static Op pick(History history, Random random, Predicate<Op> fits) {
    while (true) {
      Txn txn = history.txns().get(random.nextInt(history.txns().size()));
      if (txn.status() == Txn.Status.OK && !txn.fin()) {
        @Nullable Op op = txn.ops().stream().filter(fits).findFirst().orElse(null);
        if (op != null) {
          return op;
        }
      }
    }
  }

  /** The operations with one of them, that very one, replaced. */
  @SuppressWarnings("ReferenceEquality")
  private static List<Op> replace(List<Op> ops, Op victim, Op damaged) {
    return ops.stream().map(op -> op == victim ? damaged : op).toList();
  }

  private static List<Op> forget(Txn txn, Op append) {
    return txn.ops().stream()
        .map(op -> reads(op, append) ? without(op, indexOf(op, append.element())) : op)
        .toList();
  }

  private static boolean reads(Op op, Op append) {
    return op.kind() == Op.Kind.READ
        && op.key().equals(append.key())
        && indexOf(op, append.element()) >= 0;
  }

  private static int indexOf(Op read, long element) {
    for (int i = 0; i < read.observed().length; i++) {
      if (read.observed()[i] == element) {
        return i;
      }
    }
    return -1;
  }

  private static Op without(Op read, int index) {
    List<Long> left = new ArrayList<>(Arrays.stream(read.observed()).boxed().toList());
    left.remove(index);
    return SerialDatabase.changed(read, left.stream().mapToLong(e -> e).toArray());
  }

  private static Op swap(Op read) {
    long[] values = read.observed().clone();
    long kept = values[0];
    values[0] = values[1];
    values[1] = kept;
    return SerialDatabase.changed(read, values);
  }

  private static long[] head(Op read, int fewer) {
    return Arrays.copyOf(read.observed(), read.observed().length - fewer);
  }
}
