package io.canopygrid.btree.embedded;

import io.canopygrid.Table;
import io.canopygrid.TransactionOptions;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Puts and removes rows of a table at random until it is told to stop. */
final class RowWriter {
  private static final TransactionOptions PATIENT =
      TransactionOptions.DEFAULTS.withMaxAttempts(10_000);

  private RowWriter() {}

  /** Makes the row of a key. */
  interface Rows {
    String of(SplittableRandom random, long key);
  }

  /**
   * Starts one, on a thread of its own.
   *
   * @param keys rows have keys from 0 up to this
   * @param written counts what has been written
   */
  static CompletableFuture<Void> start(
      EmbeddedCanopy db,
      Table<Long, String> table,
      long seed,
      long keys,
      Rows rows,
      AtomicBoolean stop,
      AtomicInteger written) {
    Runnable writer =
        () -> {
          SplittableRandom random = new SplittableRandom(seed);
          while (!stop.get()) {
            long key = random.nextLong(keys);
            String row = rows.of(random, key);
            boolean remove = random.nextInt(4) == 0;
            db.run(
                PATIENT,
                tx -> {
                  if (remove) {
                    tx.on(table).remove(key);
                  } else {
                    tx.on(table).put(key, row);
                  }
                });
            written.incrementAndGet();
          }
        };
    return CompletableFuture.runAsync(writer, task -> new Thread(task, "writer-" + seed).start());
  }
}
