package io.canopygrid.it.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.CommitState;
import io.canopygrid.Index;
import io.canopygrid.TransactionOptions;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.ycsb.cluster.LocalCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server is killed while a client increments counters through it: the counters end where the
 * client was told. {@code -Dcanopy.it.increments=10000} makes it longer; {@code -Dcanopy.seed} says
 * which server and when.
 */
final class KilledServerIT {
  private static final int INCREMENTS = Integer.getInteger("canopy.it.increments", 600);

  private static final long SEED = Long.getLong("canopy.seed", 1);
  private static final int SERVERS = 3;

  /** Each an index of its own, so that their keys have different owners. */
  private static final int COUNTERS = 6;

  private static final int THREADS = 4;
  private static final TransactionOptions PATIENT =
      TransactionOptions.labelled("increment")
          .withTimeout(Duration.ofMinutes(2))
          .withMaxAttempts(TransactionOptions.MAX_ATTEMPTS_MOST);

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void theCountIsWhatTheClientWasTold() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    int victim = random.nextInt(SERVERS);
    int when = INCREMENTS / 4 + random.nextInt(INCREMENTS / 2);
    try (LocalCluster cluster =
        LocalCluster.startServers(SERVERS, "512m", Narrator.onStandardError())) {
      Canopy db = cluster.canopy();
      List<Index<Long, Long>> counters = new ArrayList<>();
      for (int i = 0; i < COUNTERS; i++) {
        counters.add(db.index("counter" + i, Codec.int64(), Codec.int64()));
      }
      AtomicInteger started = new AtomicInteger();
      AtomicInteger told = new AtomicInteger();
      Queue<CanopyException> unknown = new ConcurrentLinkedQueue<>();
      List<CompletableFuture<Void>> threads = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        threads.add(
            CompletableFuture.runAsync(
                () -> increment(db, counters, started, told, unknown),
                task -> new Thread(task, "increments").start()));
      }
      while (told.get() < when) {
        assertThat(threads).noneMatch(CompletableFuture::isCompletedExceptionally);
        LockSupport.parkNanos(1_000_000);
      }
      cluster.kill(victim);
      CompletableFuture.allOf(threads.toArray(new CompletableFuture<?>[0])).join();

      assertThat(unknown).as("seed=%d", SEED).isEmpty();
      assertThat(told).as("seed=%d", SEED).hasValue(INCREMENTS);
      assertThat(sum(db, counters)).as("seed=%d", SEED).isEqualTo(INCREMENTS);
      System.out.printf(
          "seed %d: server %d killed after %d of %d increments, the count is exact%n",
          SEED, victim, when, INCREMENTS);
    }
  }

  private static void increment(
      Canopy db,
      List<Index<Long, Long>> counters,
      AtomicInteger started,
      AtomicInteger told,
      Queue<CanopyException> unknown) {
    for (int i = started.getAndIncrement(); i < INCREMENTS; i = started.getAndIncrement()) {
      Index<Long, Long> counter = counters.get(i % COUNTERS);
      try {
        db.run(PATIENT, tx -> tx.on(counter).compute(1L, (k, v) -> v == null ? 1 : v + 1));
        told.incrementAndGet();
      } catch (CanopyException e) {
        if (e.commitState() != CommitState.UNKNOWN) {
          throw e;
        }
        unknown.add(e);
      }
    }
  }

  private static long sum(Canopy db, List<Index<Long, Long>> counters) {
    return db.<Long, RuntimeException>read(
        PATIENT, tx -> counters.stream().mapToLong(c -> tx.on(c).get(1L)).sum());
  }
}
