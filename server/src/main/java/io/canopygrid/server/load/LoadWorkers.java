package io.canopygrid.server.load;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.MutableView;
import io.canopygrid.Table;
import io.canopygrid.TableView;
import io.canopygrid.Transaction;
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
 * Puts entries into an index or a table, many in a transaction, and several transactions at a time.
 * All entries of a key go to the same worker, which puts one batch after the other, so the last
 * entry of a key stays. Putting an entry twice does no harm, so a batch whose outcome is not known
 * is put again. Confined to one thread.
 */
final class LoadWorkers implements AutoCloseable {
  /** A batch is full when it has so many bytes. */
  private static final int BATCH_BYTES = 1 << 20;

  /** The time for which a failing batch is tried again. */
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

  private static final Backoff AGAIN = new Backoff(10_000_000, 1_000_000_000);
  private static final TransactionOptions OPTIONS =
      TransactionOptions.labelled("load").withTimeout(Duration.ofMinutes(1));

  private final Canopy db;
  private final Puts puts;
  private final int batchEntries;
  private final ExecutorService threads;
  private final Worker[] workers;
  private long transactions;

  /** Puts batches one after the other; {@code last} is the batch that is being put. */
  private static final class Worker {
    private List<Entry> batch = new ArrayList<>();
    private int bytes;
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
  }

  /** Puts a batch in a transaction, which may run again. */
  private interface Puts {
    void put(Transaction tx, List<Entry> batch);
  }

  /** Creates so many workers, whose transactions have at most so many entries. */
  LoadWorkers(Canopy db, Index<byte[], byte[]> index, int workers, int batchEntries) {
    this(
        db,
        (tx, batch) -> {
          MutableView<byte[], byte[]> view = tx.on(index);
          batch.forEach(entry -> view.put(entry.key(), entry.value()));
        },
        workers,
        batchEntries);
  }

  /** Creates workers whose entries are rows of a table. */
  LoadWorkers(Canopy db, Table<byte[], byte[]> table, int workers, int batchEntries) {
    this(
        db,
        (tx, batch) -> {
          TableView<byte[], byte[]> view = tx.on(table);
          batch.forEach(entry -> view.put(entry.key(), entry.value()));
        },
        workers,
        batchEntries);
  }

  private LoadWorkers(Canopy db, Puts puts, int workers, int batchEntries) {
    this.db = db;
    this.puts = puts;
    this.batchEntries = batchEntries;
    this.threads = Executors.newFixedThreadPool(workers, task -> new Thread(task, "canopy-load"));
    this.workers = new Worker[workers];
    Arrays.setAll(this.workers, i -> new Worker());
  }

  /**
   * Takes an entry; waits while its worker is busy with an earlier batch.
   *
   * @throws CanopyException the error of an earlier batch that could not be put
   */
  void add(Entry entry) {
    Worker worker = workers[Math.floorMod(Arrays.hashCode(entry.key()), workers.length)];
    worker.batch.add(entry);
    worker.bytes += entry.bytes();
    if (worker.batch.size() == batchEntries || worker.bytes >= BATCH_BYTES) {
      send(worker);
    }
  }

  private void send(Worker worker) {
    await(worker);
    List<Entry> batch = worker.batch;
    worker.batch = new ArrayList<>();
    worker.bytes = 0;
    transactions++;
    worker.last = CompletableFuture.runAsync(() -> put(batch), threads);
  }

  /** Returns when all entries are committed. */
  void flush() {
    for (Worker worker : workers) {
      if (!worker.batch.isEmpty()) {
        send(worker);
      }
    }
    for (Worker worker : workers) {
      await(worker);
    }
  }

  /** The number of transactions that were begun. */
  long transactions() {
    return transactions;
  }

  private static void await(Worker worker) {
    try {
      worker.last.join();
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
        db.run(OPTIONS, tx -> puts.put(tx, batch));
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
