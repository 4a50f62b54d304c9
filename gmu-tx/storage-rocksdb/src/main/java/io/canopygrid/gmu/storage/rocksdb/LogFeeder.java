package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.storage.wal.SegmentReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * Brings the segments of the log that are full into the engine, on a thread of its own, and removes
 * them. Thread-safe.
 */
final class LogFeeder {
  /** More segments than this hold up the thread that logs. */
  private static final int WAITING_MAX = 4;

  private final Feed feed;
  private final long disk;
  private final Consumer<Throwable> failed;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Queue<Path> waiting = new ArrayDeque<>();
  private boolean ended;

  /** Brings a segment into the engine. */
  interface Feed {
    void feed(SegmentReader segment) throws IOException, RocksDBException;
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

  /** Waits while too many segments wait, as long as they are fed. */
  void awaitRoom() {
    lock.lock();
    try {
      while (waiting.size() > WAITING_MAX && !ended) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends. The segment that is being fed is fed to its end, and those behind it are left. */
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
      for (Path segment = next(); segment != null; segment = next()) {
        feed(segment);
        remove();
      }
    } catch (IOException | RocksDBException | RuntimeException | Error e) {
      failed.accept(e); // whatever it is: else who waits for room waits for ever
      stop();
    }
  }

  /** The oldest segment, which is left in the queue until it is fed; null: it has ended. */
  private @Nullable Path next() {
    lock.lock();
    try {
      while (waiting.isEmpty() && !ended) {
        changed.awaitUninterruptibly();
      }
      return ended ? null : waiting.peek();
    } finally {
      lock.unlock();
    }
  }

  private void feed(Path path) throws IOException, RocksDBException {
    try (SegmentReader segment = SegmentReader.open(path, disk)) {
      if (segment == null) {
        throw new IOException("a segment of the log was changed: " + path);
      }
      feed.feed(segment);
    }
    Files.delete(path);
  }

  private void remove() {
    lock.lock();
    try {
      waiting.remove();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
