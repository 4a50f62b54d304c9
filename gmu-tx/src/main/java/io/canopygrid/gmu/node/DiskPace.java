package io.canopygrid.gmu.node;

import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Watches whether a node's disk takes what it is told, on a thread of its own: any other thread may
 * be the one that waits for the disk. A disk that has not taken a step for too long is given up, as
 * all shards of which the node has a copy wait for it.
 */
final class DiskPace {
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final Journal journal;
  private final NodeStorage disk;
  private final BooleanSupplier hasEnded;
  private final LongConsumer age;
  private final Consumer<Throwable> failed;
  private final Thread thread;

  private volatile long oldestNanos;

  /**
   * For one node.
   *
   * @param age is told with each look for how long the oldest step has waited, in nanoseconds
   * @param failed is told, once, that the disk has taken nothing for too long
   */
  DiskPace(
      String name,
      Journal journal,
      NodeStorage disk,
      BooleanSupplier hasEnded,
      LongConsumer age,
      Consumer<Throwable> failed) {
    this.journal = journal;
    this.disk = disk;
    this.hasEnded = hasEnded;
    this.age = age;
    this.failed = failed;
    thread = MachineThreads.daemon(this::watch, "canopy-disk-" + name);
  }

  void start() {
    thread.start();
  }

  /** Looks no more. */
  void end() {
    LockSupport.unpark(thread);
  }

  /** For how long the oldest step has waited when it was last looked at. */
  long oldestNanos() {
    return oldestNanos;
  }

  private void watch() {
    StoredAge stored = new StoredAge(2 * REST_NANOS, System.nanoTime(), journal.stored());
    while (!hasEnded.getAsBoolean()) {
      LockSupport.parkNanos(this, REST_NANOS);
      oldestNanos = stored.look(System.nanoTime(), journal.due(), journal.stored());
      if (TimeUnit.NANOSECONDS.toMillis(oldestNanos) > disk.timeoutMillis()) {
        failed.accept(timedOut());
        return;
      }
      age.accept(oldestNanos);
    }
  }

  private StorageException timedOut() {
    return new StorageException(
        Reason.FAILED,
        String.format(
            Locale.ROOT,
            "the disk of data directory %s has taken nothing for %d ms, which is data.diskTimeout:"
                + " see in the machine's log what it waits for, and start the node again when it"
                + " answers",
            disk.reserve().directory(),
            disk.timeoutMillis()),
        null);
  }
}
