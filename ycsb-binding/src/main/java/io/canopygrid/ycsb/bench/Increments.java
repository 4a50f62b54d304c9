package io.canopygrid.ycsb.bench;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.CanopyStats;
import io.canopygrid.Functions;
import io.canopygrid.Index;
import io.canopygrid.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;

/**
 * Measures clients, each a thread, that increment counters of one index. Confined to one thread.
 */
final class Increments {
  /**
   * The key that all clients increment; a single client increments this key and the following ones.
   */
  private static final long HOT_KEY = 0;

  private final Canopy db;
  private final Index<Long, Long> index;
  private final double seconds;
  private long committed;

  /** The way in which a counter is incremented. */
  enum Way {
    TRANSACTION,
    FUNCTION
  }

  /**
   * The result of one measurement.
   *
   * @param commits how many transactions each client committed
   * @param longestNanos the longest commit, from its begin on, aborted attempts included
   * @param requests how many requests went to other nodes' primaries
   */
  record Run(double seconds, long[] commits, long longestNanos, long aborts, long requests) {
    private long total() {
      return LongStream.of(commits).sum();
    }

    double perSecond() {
      return total() / seconds;
    }

    /** The commits of the client with the fewest, relative to the average. */
    double leastShare() {
      return LongStream.of(commits).min().orElse(0) * (double) commits.length / total();
    }

    double longestMillis() {
      return longestNanos / 1e6;
    }

    double abortsPerCommit() {
      return aborts / (double) total();
    }

    double requestsPerCommit() {
      return requests / (double) total();
    }
  }

  /** The result of one client. */
  private record Done(long commits, long longestNanos) {}

  /**
   * Makes the counters.
   *
   * @throws BenchFailure where the counters cannot be written
   */
  Increments(Canopy db, Primary primary, double seconds) throws BenchFailure {
    this.db = db;
    this.index = primary.index(db, HOT_KEY);
    this.seconds = seconds;
  }

  /** Measures one client that increments so many keys in turn. */
  Run alone(Way way, int keys) throws BenchFailure {
    return run(way, 1, keys);
  }

  /** Measures so many clients that increment one key. */
  Run together(Way way, int clients) throws BenchFailure {
    return run(way, clients, 1);
  }

  private Run run(Way way, int clients, int keys) throws BenchFailure {
    CanopyStats.TransactionStats before = db.stats().total();
    long beganNanos = System.nanoTime();
    long endNanos = beganNanos + (long) (seconds * 1e9);
    List<CompletableFuture<Done>> running = new ArrayList<>();
    for (int c = 0; c < clients; c++) {
      running.add(
          CompletableFuture.supplyAsync(
              () -> increment(way, keys, endNanos), task -> new Thread(task, "client").start()));
    }
    long[] commits = new long[clients];
    long longest = 0;
    try {
      for (int c = 0; c < clients; c++) {
        Done done = running.get(c).join();
        commits[c] = done.commits();
        longest = Math.max(longest, done.longestNanos());
      }
    } catch (CompletionException e) {
      throw new BenchFailure("an increment failed: " + e.getCause(), e);
    }
    double took = (System.nanoTime() - beganNanos) / 1e9;
    committed += LongStream.of(commits).sum();
    CanopyStats.TransactionStats after = db.stats().total();
    return new Run(
        took,
        commits,
        longest,
        after.abortsOfAllCodes() - before.abortsOfAllCodes(),
        after.remoteRequests() - before.remoteRequests());
  }

  private Done increment(Way way, int keys, long endNanos) {
    long commits = 0;
    long longest = 0;
    for (long now = System.nanoTime(); endNanos - now > 0 || commits == 0; commits++) {
      increment(way, HOT_KEY + commits % keys);
      long end = System.nanoTime();
      longest = Math.max(longest, end - now);
      now = end;
    }
    return new Done(commits, longest);
  }

  private void increment(Way way, long key) throws CanopyException {
    if (way == Way.FUNCTION) {
      db.execute(Functions.add(index, key, 1));
    } else {
      db.run(tx -> tx.on(index).merge(key, 1L, Long::sum));
    }
  }

  /** Checks that no increment was lost. */
  void requireComplete() throws BenchFailure {
    long sum =
        db.<Long, RuntimeException>read(
            tx -> tx.on(index).scan(Range.all()).values().mapToLong(v -> v).sum());
    if (sum != committed) {
      throw new BenchFailure("of " + committed + " increments the counters have " + sum);
    }
  }
}
