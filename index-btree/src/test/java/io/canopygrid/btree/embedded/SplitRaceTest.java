package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.MutableView;
import io.canopygrid.Range;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.check.IndexCheck;
import io.canopygrid.gmu.protocol.ProtocolConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Splits race with transactions that conflict with no other: each thread has its own keys, between
 * those of the others. The test runs each transaction itself, without retries, so not one may fail.
 */
@NullUnmarked // bodies return null, and answers are compared as they are
final class SplitRaceTest {
  private static final int THREADS = 4;
  private static final TransactionOptions OPTIONS =
      TransactionOptions.DEFAULTS.withTimeout(Duration.ofSeconds(60));

  /** A prepare has time for a lock whose holder does not get to run for a while. */
  private static final ProtocolConfig LONG_LOCKS =
      ProtocolConfig.DEFAULT.withLockTimeoutNanos(TimeUnit.SECONDS.toNanos(1));

  @ParameterizedTest
  @CsvSource({"1, 4, 1, 250", "1, 16, 2, 400", "3, 4, 3, 150", "3, 16, 4, 250"})
  void noCallerSeesAnAbort(int nodes, int subtreeEntriesMax, long seed, int transactions)
      throws InterruptedException {
    try (TestGrid grid =
        nodes == 1 ? TestGrid.standalone(8) : TestGrid.network(3, 2, 12, 8, LONG_LOCKS)) {
      IndexOptions options = IndexOptions.DEFAULTS.withSubtreeEntriesMax(subtreeEntriesMax);
      List<Index<Long, Long>> indexes = new ArrayList<>();
      for (int i = 0; i < grid.size(); i++) {
        indexes.add(grid.handle(i).index("race", Codec.int64(), Codec.int64(), options));
      }
      Workers workers = new Workers();
      for (int t = 0; t < THREADS; t++) {
        int thread = t;
        int at = t % grid.size();
        workers.add(() -> {
          Random random = new Random(seed * 1_000 + thread);
          for (int i = 0; i < transactions || unmet(grid, i, transactions); i++) {
            if (workers.failed()) {
              return;
            }
            transaction(grid.handle(at), indexes.get(at), thread, i, random);
          }
        });
      }
      workers.join("seed " + seed);
      grid.awaitQuiet();
      assertThat(grid.refusedPrepares()).as("splits were in the way, seed %s", seed).isPositive();
      IndexCheck.Report report = grid.handle(0).check(indexes.get(0), Duration.ofSeconds(20));
      assertThat(report.subtrees()).as("seed %s %s", seed, report).isGreaterThan(10);
      assertSums(grid.handle(0), indexes.get(0), grid, seed);
      for (int i = 0; i < grid.size(); i++) {
        assertThat(grid.handle(i).stats().total().aborts()).as("seed %s", seed).isEmpty();
      }
    }
  }

  /**
   * Whether splits and transactions have not met yet. Warm code may run the threads one after
   * another; so they go on until a prepare is refused, or for so long that splits plainly hinder no
   * transaction.
   */
  private static boolean unmet(TestGrid grid, int done, int transactions) {
    return done < 50 * transactions && grid.refusedPrepares() == 0;
  }

  /** Moves an amount between two of the thread's keys, new or old; the sum of them stays 0. */
  private static void transaction(
      EmbeddedCanopy db, Index<Long, Long> index, int thread, int i, Random random) {
    try (Transaction tx = db.begin(OPTIONS)) {
      MutableView<Long, Long> view = tx.on(index);
      long from = key(thread, random.nextInt(i + 1));
      long to = key(thread, i);
      long amount = random.nextInt(100);
      if (random.nextBoolean()) {
        view.merge(from, -amount, Long::sum);
        view.merge(to, amount, Long::sum);
      } else {
        try (Cursor<Long, Long> own = view.scan(Range.closed(from, from))) {
          long before = own.values().mapToLong(Long::longValue).sum();
          view.put(from, before - amount);
        }
        view.compute(to, (k, v) -> v == null ? amount : v + amount);
      }
      tx.commit();
    }
  }

  private static long key(int thread, int i) {
    long spread = Integer.toUnsignedLong(Integer.reverse(i)) >>> 8;
    return spread * THREADS + (long) thread;
  }

  private static void assertSums(
      EmbeddedCanopy db, Index<Long, Long> index, TestGrid grid, long seed) {
    AtomicInteger seen = new AtomicInteger();
    long[] sums = new long[THREADS];
    TransactionOptions options = OPTIONS;
    for (int i = 0; i < grid.size(); i++) {
      options = options.withAfter(options.after().join(grid.handle(i).token()));
    }
    db.read(
        options,
        tx -> {
          try (Cursor<Long, Long> all = tx.on(index).scan()) {
            all.stream()
                .forEach(e -> {
                  sums[(int) (e.getKey() % THREADS)] += e.getValue();
                  seen.incrementAndGet();
                });
          }
          return null;
        });
    assertThat(sums).as("seed %s", seed).containsOnly(0);
    assertThat(seen.get()).as("seed %s", seed).isGreaterThan(THREADS);
  }
}
