package io.canopygrid.soak.cluster;

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
 * Asks every shard some times a second whether it serves, and writes down when it did: lines of
 * {@code shard milliseconds}; where it did not, {@code shard milliseconds error taken}, the last
 * being how many milliseconds that took. Each shard has a thread, as one that does not serve keeps
 * it waiting.
 */
final class ShardWatch {
  private static final long EVERY_MILLIS = 200;
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final EmbeddedCanopy db;
  private final PrintWriter file;
  private final long baseNanos;

  private ShardWatch(EmbeddedCanopy db, PrintWriter file, long baseNanos) {
    this.db = db;
    this.file = file;
    this.baseNanos = baseNanos;
  }

  /** Starts the watch, which ends with the process. */
  @SuppressWarnings("FutureReturnValueIgnored") // no task throws
  static void start(EmbeddedCanopy db, Command command, long baseNanos) throws IOException {
    Path file = Path.of(command.text("file"));
    long every = command.has("every") ? command.number("every") : EVERY_MILLIS;
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
          () -> watch.look(shard), i * every / shards, every, TimeUnit.MILLISECONDS);
    }
  }

  private void look(int shard) {
    long began = now();
    String error = "";
    try {
      db.probe(shard, TIMEOUT);
    } catch (CanopyException e) {
      error = " " + e.code().name() + " " + (now() - began);
    }
    synchronized (file) {
      file.println(shard + " " + now() + error);
      file.flush();
    }
  }

  private long now() {
    return (System.nanoTime() - baseNanos) / 1_000_000;
  }
}
