package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.MutableView;
import io.canopygrid.TransactionOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Transfers between accounts, some opened and closed meanwhile, against sums over all of them. */
@NullUnmarked // bodies return null, and answers are compared as they are
final class BankTest {
  private static final long TOTAL = 100_000;
  private static final TransactionOptions OPTIONS =
      TransactionOptions.DEFAULTS.withTimeout(Duration.ofSeconds(60)).withMaxAttempts(1_000);

  @ParameterizedTest
  @CsvSource({"1, 1, 400", "3, 2, 200"})
  void everySnapshotHasTheSameSum(int nodes, long seed, int transfers) throws InterruptedException {
    try (TestGrid grid = nodes == 1 ? TestGrid.standalone(16) : TestGrid.network(3, 2, 12, 16)) {
      IndexOptions options = IndexOptions.DEFAULTS.withSubtreeEntriesMax(8);
      List<Index<Integer, Long>> banks = new ArrayList<>();
      for (int i = 0; i < grid.size(); i++) {
        banks.add(grid.handle(i).index("bank", Codec.int32(), Codec.int64(), options));
      }
      grid.handle(0).run(tx -> tx.on(banks.get(0)).put(0, TOTAL));
      TransactionOptions after = OPTIONS.withAfter(grid.handle(0).token());
      AtomicBoolean done = new AtomicBoolean();
      AtomicInteger sums = new AtomicInteger();
      AtomicInteger movers = new AtomicInteger(3);
      Workers workers = new Workers();
      for (int t = 0; t < 3; t++) {
        int at = t % grid.size();
        Random random = new Random(seed * 100 + t);
        workers.add(() -> {
          for (int i = 0; i < transfers && !workers.failed(); i++) {
            transfer(grid.handle(at), banks.get(at), random, after);
          }
          done.set(movers.decrementAndGet() == 0);
        });
      }
      workers.add(() -> {
        for (int i = 0; !done.get() && !workers.failed(); i = (i + 1) % grid.size()) {
          assertThat(sum(grid.handle(i), banks.get(i), after)).isEqualTo(TOTAL);
          sums.incrementAndGet();
        }
      });
      workers.join("seed " + seed);
      assertThat(sums.get()).as("seed %s", seed).isPositive();
      assertThat(grid.handle(0).check(banks.get(0), Duration.ofSeconds(20)).subtrees())
          .as("seed %s", seed)
          .isGreaterThan(2);
    }
  }

  private static void transfer(
      EmbeddedCanopy db, Index<Integer, Long> bank, Random random, TransactionOptions options) {
    int to = random.nextInt(100);
    int choice = random.nextInt(100);
    int percent = random.nextInt(100);
    db.run(
        options,
        tx -> {
          MutableView<Integer, Long> accounts = tx.on(bank);
          var from = accounts.ceilingEntry(choice);
          if (from == null) {
            from = accounts.firstEntry();
          }
          long amount = from.getValue() * percent / 100;
          if (percent > 90) {
            amount = from.getValue();
            accounts.remove(from.getKey());
          } else {
            accounts.put(from.getKey(), from.getValue() - amount);
          }
          accounts.merge(to, amount, Long::sum);
        });
  }

  private static long sum(
      EmbeddedCanopy db, Index<Integer, Long> bank, TransactionOptions options) {
    return db.<Long, RuntimeException>read(
        options,
        tx -> {
          try (Cursor<Integer, Long> all = tx.on(bank).scan()) {
            return all.values().mapToLong(Long::longValue).sum();
          }
        });
  }
}
