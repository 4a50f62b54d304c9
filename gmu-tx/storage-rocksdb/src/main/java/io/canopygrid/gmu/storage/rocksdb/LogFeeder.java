package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.storage.wal.SegmentReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.rocksdb.RocksDBException;

/**
 * Brings the segments of the log that are full into the engine, on a thread of its own, and removes
 * them. It takes some of them together, as most of what one has is overwritten or dropped in the
 * next one. Thread-safe.
 */
final class LogFeeder {
  /** So many segments are taken together. */
  private static final int TOGETHER = 3;

  /** More segments than this stop the thread that logs; it is slowed down before. */
  private static final int WAITING_MAX = 4;

  /** The same where segments are to be fed at once. */
  private static final int HURRIED_MAX = 1;

  private final Feed feed;
  private final long disk;
  private final Consumer<Throwable> failed;
  private final Thread thread;
  private final FeedPace pace = new FeedPace();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Queue<Path> waiting = new ArrayDeque<>();
  private boolean ended;

  /** Whether the segments that wait are fed, however few they are, until none waits. */
  private boolean hurried;

  /** Brings segments into the engine. */
  interface Feed {
    /**
     * Takes the next segment.
     *
     * @return whether the engine has all that was taken
     */
    boolean take(SegmentReader segment) throws IOException, RocksDBException;

    /** Brings all that was taken into the engine. */
    void store() throws RocksDBException;
  }

  /**
   * Begins.
   *
   * @param feed used by nobody else before the end
   * @param failed is told, once, why nothing is fed any more
   */
  LogFeeder(Feed feed, long disk, String name, Consumer<Throwable> failed) {
    this.feed = feed;
    this.disk = disk;
    this.failed = failed;
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Takes a segment that nobody writes to any more; they come in their order. */
  void add(Path segment) {
    lock.lock();
    try {
      waiting.add(segment);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The segments that wait are fed at once. */
  void hurry() {
    lock.lock();
    try {
      if (!waiting.isEmpty()) {
        hurried = true;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits after a write, as long as segments are fed: a little where more of them wait than are
   * taken together, and else while there are too many.
   *
   * @param logged the bytes of the write
   */
  void awaitRoom(int logged) {
    LockSupport.parkNanos(nanosToWait(logged));
  }

  private long nanosToWait(int logged) {
    lock.lock();
    try {
      while (waiting.size() > (hurried ? HURRIED_MAX : WAITING_MAX) && !ended) {
        changed.awaitUninterruptibly();
      }
      int behind = waiting.size() - (hurried ? 0 : TOGETHER);
      return ended ? 0 : pace.logged(logged, Math.max(0, behind));
    } finally {
      lock.unlock();
    }
  }

  /** Ends. It feeds the segments that were taken, and leaves those behind them. */
  void end() {
    stop();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void stop() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      for (List<Path> full = next(); !full.isEmpty(); full = next()) {
        feed(full);
      }
    } catch (IOException | RocksDBException | RuntimeException | Error e) {
      failed.accept(e); // whatever it is: else who waits for room waits for ever
      stop();
    }
  }

  /** The oldest segments, which are left in the queue until they are fed; none: it has ended. */
  private List<Path> next() {
    lock.lock();
    try {
      while (waiting.size() < (hurried ? 1 : TOGETHER) && !ended) {
        changed.awaitUninterruptibly();
      }
      return ended ? List.of() : waiting.stream().limit(hurried ? 1 : TOGETHER).toList();
    } finally {
      lock.unlock();
    }
  }

  private void feed(List<Path> full) throws IOException, RocksDBException {
    long began = System.nanoTime();
    long bytes = 0;
    int done = 0;
    int taken = 0;
    boolean isLast = false;
    while (!isLast) {
      Path segment = full.get(taken++);
      bytes += Files.size(segment);
      boolean isStored = take(segment);
      isLast = taken == full.size() || hasEnded();
      if (isLast && !isStored) {
        feed.store();
      }
      if (isLast || isStored) {
        remove(full.subList(done, taken));
        done = taken;
      }
    }
    pace.fed(bytes, System.nanoTime() - began);
  }

  private boolean take(Path path) throws IOException, RocksDBException {
    try (SegmentReader segment = SegmentReader.open(path, disk)) {
      if (segment == null) {
        throw new IOException("a segment of the log was changed: " + path);
      }
      return feed.take(segment);
    }
  }

  private boolean hasEnded() {
    lock.lock();
    try {
      return ended;
    } finally {
      lock.unlock();
    }
  }

  private void remove(List<Path> fed) throws IOException {
    for (Path segment : fed) {
      Files.delete(segment);
    }
    lock.lock();
    try {
      fed.forEach(segment -> waiting.remove());
      hurried = hurried && !waiting.isEmpty();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
