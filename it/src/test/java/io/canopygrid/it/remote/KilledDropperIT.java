package io.canopygrid.it.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.Loader;
import io.canopygrid.TransactionOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.ycsb.cluster.LocalCluster;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The server that drops an index is killed meanwhile: the others take all of it away, and nothing
 * else. {@code -Dcanopy.seed} says when it is killed.
 */
final class KilledDropperIT {
  private static final long SEED = Long.getLong("canopy.seed", 1);
  private static final int SERVERS = 3;
  private static final long KEYS = 20_000;
  private static final IndexOptions SMALL = IndexOptions.DEFAULTS.withSubtreeEntriesMax(100);
  private static final TransactionOptions PATIENT =
      TransactionOptions.DEFAULTS
          .withTimeout(Duration.ofMinutes(1))
          .withMaxAttempts(TransactionOptions.MAX_ATTEMPTS_MOST);

  private static Index<Long, Long> load(Canopy db, String name) {
    Index<Long, Long> index = db.index(name, Codec.int64(), Codec.int64(), SMALL);
    try (Loader<Long, Long> loader = db.loader(index)) {
      for (long key = 0; key < KEYS; key++) {
        loader.add(key, key);
      }
      loader.flush();
    }
    return index;
  }

  /** Whether a server knows no subtree of an index any more. */
  private static boolean isAway(RemoteCanopy db, int number) {
    try {
      return db.routes(number).routes().isEmpty();
    } catch (CanopyException e) {
      if (e.code() != ErrorCode.UNKNOWN_INDEX) {
        throw e;
      }
      return true;
    }
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void theOthersFinishWhatItBegan() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    try (LocalCluster cluster =
        LocalCluster.startServers(SERVERS, "512m", Narrator.onStandardError())) {
      int victim = random.nextInt(SERVERS);
      int other = (victim + 1) % SERVERS;
      try (RemoteCanopy db = RemoteCanopy.connect("canopy://" + cluster.address(other));
          RemoteCanopy dropper =
              RemoteCanopy.connect(
                  "canopy://" + cluster.address(victim) + "," + cluster.address(other))) {
        Index<Long, Long> old = load(db, "old");
        Index<Long, Long> kept = load(db, "kept");
        int number = db.describe("old").index();
        assertThat(db.routes(number).routes()).hasSizeGreaterThan(20);
        CompletableFuture<Boolean> drop =
            CompletableFuture.supplyAsync(
                () -> dropper.dropIndex("old"), task -> new Thread(task, "dropper").start());
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(100)));
        cluster.kill(victim);
        assertThat(drop.get(2, TimeUnit.MINUTES)).as("seed=%d", SEED).isTrue();

        assertThat(db.indexes()).containsExactly("kept");
        long deadlineNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!isAway(db, number)) {
          assertThat(System.nanoTime() - deadlineNanos)
              .as("seed=%d: %d subtrees are left", SEED, db.routes(number).routes().size())
              .isNegative();
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
        Index<Long, Long> again = db.index("old", Codec.int64(), Codec.int64(), SMALL);
        db.run(PATIENT, tx -> tx.on(again).put(1L, 7L));
        assertThat(db.<Long, RuntimeException>read(PATIENT, tx -> tx.on(again).count()))
            .isEqualTo(1);
        assertThat(db.<Long, RuntimeException>read(PATIENT, tx -> tx.on(kept).count()))
            .isEqualTo(KEYS);
        assertThat(refusal(db, old)).isEqualTo(ErrorCode.UNKNOWN_INDEX);
      }
    }
  }

  private static ErrorCode refusal(Canopy db, Index<Long, Long> index) {
    try {
      db.run(PATIENT, tx -> tx.on(index).put(2L, 2L));
    } catch (CanopyException e) {
      return e.code();
    }
    throw new AssertionError("a handle of the dropped index wrote");
  }
}
