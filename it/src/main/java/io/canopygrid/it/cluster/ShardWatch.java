package io.canopygrid.it.cluster;

import io.canopygrid.CanopyException;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Asks every shard a few times a second whether it serves, and writes down when it did: lines of
 * {@code shard milliseconds}. Each shard has a thread, as one that does not serve keeps it waiting.
 */
final class ShardWatch {
  static final long EVERY_MILLIS = 200;
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final EmbeddedCanopy db;
  private final PrintWriter file;
  private final long baseNanos;

  private ShardWatch(EmbeddedCanopy db, PrintWriter file, long baseNanos) {
    this.db = db;
    this.file = file;
    this.baseNanos = baseNanos;
  }

  /** Starts; it ends with the process. */
  @SuppressWarnings("FutureReturnValueIgnored") // no task throws
  static void start(EmbeddedCanopy db, Path file, long baseNanos) throws IOException {
    ShardWatch watch =
        new ShardWatch(db, new PrintWriter(Files.newBufferedWriter(file)), baseNanos);
    int shards = db.shards();
    ScheduledExecutorService threads =
        Executors.newScheduledThreadPool(
            shards,
            task -> {
              Thread thread = new Thread(task, "shard-watch");
              thread.setDaemon(true);
              return thread;
            });
    for (int i = 0; i < shards; i++) {
      int shard = i;
      threads.scheduleWithFixedDelay(
          () -> watch.look(shard), i * EVERY_MILLIS / shards, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void look(int shard) {
    try {
      db.probe(shard, TIMEOUT);
    } catch (CanopyException e) {
      return; // a line that is missing says it all
    }
    long millis = (System.nanoTime() - baseNanos) / 1_000_000;
    synchronized (file) {
      file.println(shard + " " + millis);
      file.flush();
    }
  }
}
