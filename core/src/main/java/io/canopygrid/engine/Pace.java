package io.canopygrid.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Time, waiting and chance: the machine's, or a simulation's. Thread-safe. */
public interface Pace {
  /** The machine's clock, outside of simulations. */
  Pace MACHINE =
      new Pace() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public void sleep(long nanos) {
          LockSupport.parkNanos(nanos);
        }

        @Override
        public long random(long bound) {
          return ThreadLocalRandom.current().nextLong(bound);
        }
      };

  /** The time, in nanoseconds from some origin; only differences mean something. */
  long nanoTime();

  /** Blocks the calling thread for about so long, shorter where it is interrupted. */
  void sleep(long nanos);

  /**
   * A number from 0 to {@code bound - 1}, at random.
   *
   * @param bound at least 1
   */
  long random(long bound);

  /** Runs tasks beside the caller; null: who needs threads of the machine makes them. */
  default @Nullable Executor executor() {
    return null;
  }

  /**
   * Blocks the calling thread until a future is done; the rest as {@link CompletableFuture#join}.
   */
  default <T> T await(CompletableFuture<T> future) {
    return future.join();
  }
}
