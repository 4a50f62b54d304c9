package io.canopygrid.server.load;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.MutableView;
import io.canopygrid.TransactionOptions;
import io.canopygrid.engine.Backoff;
import io.canopygrid.engine.Pace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Puts entries into an index, many in a transaction, and several of these at a time. All entries of
 * a key take the same lane, one transaction after the other, so the last one stays. An entry that
 * is put twice is the same entry, so a batch is put again whenever it may not have been. Used by
 * one thread.
 */
final class Lanes implements AutoCloseable {
  /** After so many bytes a batch is full. */
  private static final int BATCH_BYTES = 1 << 20;

  /** How long a batch is tried while nothing works. */
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

  private static final Backoff AGAIN = new Backoff(10_000_000, 1_000_000_000);
  private static final TransactionOptions OPTIONS =
      TransactionOptions.labelled("load").withTimeout(Duration.ofMinutes(1));

  private final Canopy db;
  private final Index<byte[], byte[]> index;
  private final int batchEntries;
  private final ExecutorService threads;
  private final Lane[] lanes;
  private long transactions;

  private static final class Lane {
    private List<Entry> batch = new ArrayList<>();
    private int bytes;
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
  }

  /** So many lanes, whose transactions have at most so many entries. */
  Lanes(Canopy db, Index<byte[], byte[]> index, int lanes, int batchEntries) {
    this.db = db;
    this.index = index;
    this.batchEntries = batchEntries;
    this.threads = Executors.newFixedThreadPool(lanes, task -> new Thread(task, "canopy-load"));
    this.lanes = new Lane[lanes];
    Arrays.setAll(this.lanes, i -> new Lane());
  }

  /**
   * Takes an entry; waits where its lane is busy.
   *
   * @throws CanopyException of an earlier batch that could not be put
   */
  void add(Entry entry) {
    Lane lane = lanes[Math.floorMod(Arrays.hashCode(entry.key()), lanes.length)];
    lane.batch.add(entry);
    lane.bytes += entry.bytes();
    if (lane.batch.size() == batchEntries || lane.bytes >= BATCH_BYTES) {
      send(lane);
    }
  }

  private void send(Lane lane) {
    await(lane);
    List<Entry> batch = lane.batch;
    lane.batch = new ArrayList<>();
    lane.bytes = 0;
    transactions++;
    lane.last = CompletableFuture.runAsync(() -> put(batch), threads);
  }

  /** Returns when all entries are committed. */
  void flush() {
    for (Lane lane : lanes) {
      if (!lane.batch.isEmpty()) {
        send(lane);
      }
    }
    for (Lane lane : lanes) {
      await(lane);
    }
  }

  /** How many transactions were begun. */
  long transactions() {
    return transactions;
  }

  private static void await(Lane lane) {
    try {
      lane.last.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof CanopyException coded) {
        throw coded;
      }
      throw e;
    }
  }

  private void put(List<Entry> batch) {
    long deadlineNanos = System.nanoTime() + PATIENCE_NANOS;
    for (int attempt = 1; ; attempt++) {
      try {
        db.run(
            OPTIONS,
            tx -> {
              MutableView<byte[], byte[]> view = tx.on(index);
              batch.forEach(entry -> view.put(entry.key(), entry.value()));
            });
        return;
      } catch (CanopyException e) {
        boolean again = e.retryable() || e.code() == ErrorCode.COMMIT_UNKNOWN;
        if (!again || System.nanoTime() - deadlineNanos >= 0) {
          throw e;
        }
        AGAIN.pause(attempt, deadlineNanos, Pace.MACHINE);
      }
    }
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
