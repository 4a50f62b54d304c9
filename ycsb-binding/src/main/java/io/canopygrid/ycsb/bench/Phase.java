package io.canopygrid.ycsb.bench;

import io.canopygrid.Canopy;
import io.canopygrid.server.terminal.Progress;
import io.canopygrid.ycsb.CanopyDB;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import site.ycsb.ClientThread;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;

/**
 * One load or run by YCSB's client threads in this JVM, with a workload and measurements of its
 * own. (YCSB's main class ends the JVM after each.) Used once, by one thread.
 */
final class Phase {
  /**
   * The number of operations where it is not limited: YCSB needs a number to lay out the key space.
   */
  private static final long OPERATIONS_UNKNOWN = 10_000;

  private static final long LOOK_EVERY_MILLIS = 250;

  private final Canopy canopy;
  private final Properties properties = new Properties();
  private final GuardedWorkload workload;
  private final Measurements measurements;
  private final List<ClientThread> clients = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> death = new AtomicReference<>();
  private double seconds;

  /**
   * Lays out the keys.
   *
   * @param settings a workload's properties
   * @param records the number of records that are loaded, or are to be loaded
   * @param operations the number of operations to run; 0: unknown
   */
  Phase(Canopy canopy, Properties settings, long records, long operations) throws BenchFailure {
    this.canopy = canopy;
    properties.putAll(settings);
    properties.setProperty("recordcount", Long.toString(records));
    properties.setProperty(
        "operationcount", Long.toString(operations == 0 ? OPERATIONS_UNKNOWN : operations));
    properties.setProperty("hdrhistogram.percentiles", "50,95,99,99.9");
    Measurements.setProperties(properties); // YCSB's workload asks for the JVM's own measurements
    measurements = new Measurements(properties);
    workload = new GuardedWorkload();
    try {
      workload.init(properties);
    } catch (WorkloadException e) {
      throw new BenchFailure("YCSB refuses the workload: " + e.getMessage(), e);
    }
  }

  /**
   * Inserts so many records.
   *
   * @param progress gets the number of operations done
   */
  void load(int threads, long records, Progress progress) throws BenchFailure {
    start(false, threads, records, 0, progress::reached);
  }

  /**
   * Runs the workload's mix.
   *
   * @param operations 0: any number
   * @param limitSeconds 0: any time
   * @param progress gets the number of operations done, or of seconds gone if there is no number
   */
  void run(int threads, long operations, double limitSeconds, Progress progress)
      throws BenchFailure {
    long start = System.nanoTime();
    start(
        true,
        threads,
        operations,
        limitSeconds,
        done -> progress.reached(operations > 0 ? done : secondsSince(start)));
  }

  private void start(
      boolean transactions, int threads, long operations, double limitSeconds, Watcher watcher)
      throws BenchFailure {
    CountDownLatch done = new CountDownLatch(threads);
    List<Thread> running = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int share = (int) (operations / threads + (t < operations % threads ? 1 : 0));
      running.add(client(transactions, t, threads, share, done));
    }
    long start = System.nanoTime();
    running.forEach(Thread::start);
    long limitNanos = limitSeconds == 0 ? Long.MAX_VALUE : (long) (limitSeconds * 1e9);
    try {
      while (System.nanoTime() - start < limitNanos
          && !done.await(waitMillis(start, limitNanos), TimeUnit.MILLISECONDS)) {
        watcher.reached(operationsDone());
      }
      workload.requestStop();
      for (Thread thread : running) {
        thread.join();
      }
    } catch (InterruptedException e) {
      workload.requestStop();
      Thread.currentThread().interrupt();
      throw new BenchFailure("interrupted", e);
    }
    seconds = (System.nanoTime() - start) / 1e9;
    watcher.reached(operationsDone());
    failIfDied();
  }

  private Thread client(
      boolean transactions, int id, int threads, int operations, CountDownLatch done) {
    MeasuredDB db = new MeasuredDB(new CanopyDB(canopy), measurements);
    db.setProperties(properties);
    ClientThread client =
        new ClientThread(db, transactions, workload, properties, operations, 0, done);
    client.setThreadId(id);
    client.setThreadCount(threads);
    clients.add(client);
    Thread thread = new Thread(client, "ycsb-" + id);
    thread.setUncaughtExceptionHandler((t, e) -> death.compareAndSet(null, e));
    return thread;
  }

  private void failIfDied() throws BenchFailure {
    Throwable cause = workload.failure() != null ? workload.failure() : death.get();
    if (cause != null) {
      throw new BenchFailure("a client thread failed: " + cause, cause);
    }
  }

  private static long waitMillis(long startNanos, long limitNanos) {
    long leftMillis = (limitNanos - (System.nanoTime() - startNanos)) / 1_000_000;
    return Math.max(1, Math.min(LOOK_EVERY_MILLIS, leftMillis));
  }

  private static long secondsSince(long startNanos) {
    return Math.round((System.nanoTime() - startNanos) / 1e9);
  }

  long operationsDone() {
    return clients.stream().mapToLong(ClientThread::getOpsDone).sum();
  }

  double seconds() {
    return seconds;
  }

  Summary summary() throws BenchFailure {
    try {
      return Summary.of(measurements);
    } catch (IOException e) {
      throw new BenchFailure("YCSB's measurements cannot be read", e);
    }
  }

  GuardedWorkload workload() {
    return workload;
  }

  /** A connection outside of the measurements. */
  CanopyDB connect() throws BenchFailure {
    CanopyDB db = new CanopyDB(canopy);
    db.setProperties(properties);
    try {
      db.init();
    } catch (DBException e) {
      throw new BenchFailure("the database cannot be used: " + e.getMessage(), e);
    }
    return db;
  }

  /**
   * Deletes the records that this phase has inserted, so that every workload starts from the same
   * records.
   */
  void deleteFrom(long records) throws BenchFailure {
    CanopyDB db = connect();
    try {
      for (long n = records; n < workload.records(); n++) {
        Status status = db.delete(UserTable.NAME, workload.keyName(n));
        if (!status.isOk()) {
          throw new BenchFailure("taking back an insert ended in " + status);
        }
      }
    } finally {
      db.cleanup();
    }
  }

  /** Hears from time to time how many operations are done. */
  @FunctionalInterface
  private interface Watcher {
    void reached(long operations);
  }
}
