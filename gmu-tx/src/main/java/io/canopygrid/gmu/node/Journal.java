package io.canopygrid.gmu.node;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.protocol.Effect;
import io.canopygrid.gmu.storage.Storage;
import io.canopygrid.gmu.storage.Storage.Batch;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.storage.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what the steps of a node's protocol change to the node's disk, in the steps' order, and
 * tells the protocol how far it is stored. All that waits is written as one batch. A step that
 * nothing relies on waits for one that something does, or for the next {@link #rest}.
 *
 * <p>Where each step is forced, a thread of its own writes and forces; the next batch gathers
 * meanwhile. Elsewhere the thread that has made a step writes it, also for those that come
 * meanwhile, and the thread of its own only forces at times.
 *
 * <p>A disk that fails ends the journal for good, and the node with it. Thread-safe.
 */
final class Journal {
  private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
  private static final int STEPS_MAX = 512;

  /** So many steps that nothing relies on wait for others at most. */
  private static final int RESTING_MAX = 128;

  /** A batch is copied on its way to the disk, so it takes no more steps than have so much. */
  private static final long VALUE_BYTES_MAX = 1 << 20;

  /** So long a node that fails waits for a write that is under way. */
  private static final long FAILURE_PATIENCE_MILLIS = 1_000;

  private final NodeId self;
  private final NodeStorage disk;
  private final Storage storage;

  /** The position of the last step of the nodes that had this disk before. */
  private final long base;

  private final LongConsumer stored;
  private final LongConsumer forcedUpTo;
  private final Consumer<Throwable> failed;

  /** The position of the last step that was taken. */
  private volatile long taken;

  /** Something waits for the step with this position; written by those who take steps. */
  private volatile long awaited;

  /** The last step that has waited long enough for others. */
  private volatile long rested;

  /** Whether the thread that forces each step waits for one. */
  private volatile boolean idle;

  /** Whether the storage is closed by the thread that writes, as soon as the disk lets it go on. */
  private volatile boolean isGivenUp;

  /** Whether a storage that was given up is closed; guarded by {@link #writing}. */
  private boolean isClosed;

  private final ConcurrentLinkedQueue<Effect.Store> waiting = new ConcurrentLinkedQueue<>();
  private final ReentrantLock writing = new ReentrantLock();
  private final Thread thread;

  /** Written by the thread that writes. */
  private volatile long written;

  /** The position up to which all counts as stored; rises before {@link #stored} is told. */
  private volatile long confirmed;

  /** Written by the journal's own thread. */
  private long forced;

  /** Whether nothing is written any more. */
  private volatile boolean ended;

  /** Whether the disk has the node's id; written with {@link #writing} held. */
  private volatile boolean isSigned;

  /**
   * For one node.
   *
   * @param disk begins where it was opened
   * @param stored is told up to which of the node's steps all is stored
   * @param forcedUpTo is told up to which of them all is forced, where that is later
   * @param failed is told why the disk cannot be used any more, or what else went wrong; by both
   *     threads where a write and a force fail at a time
   */
  Journal(
      NodeId self,
      NodeStorage disk,
      LongConsumer stored,
      LongConsumer forcedUpTo,
      Consumer<Throwable> failed) {
    this.self = self;
    this.disk = disk;
    this.storage = disk.storage();
    this.stored = stored;
    this.forcedUpTo = forcedUpTo;
    this.failed = failed;
    base = storage.openedAt() + 1;
    taken = base;
    awaited = base;
    rested = base;
    written = base;
    confirmed = base;
    forced = base;
    thread =
        MachineThreads.daemon(
            disk.forcesEach() ? this::writeAlways : this::forceAtTimes, "canopy-journal-" + self);
  }

  /** Begins. Where each step is forced, steps taken before wait for it. */
  void start() {
    thread.start();
  }

  /**
   * Stores, and forces, that this node has the disk now: before others can count on it under its
   * id. A node that only waits for others leaves nothing, however often it starts.
   *
   * @throws StorageException the disk fails
   */
  void sign() {
    if (isSigned) {
      return;
    }
    writing.lock();
    try {
      if (!isSigned && !ended) {
        storage.write(List.of(new Batch(base, List.of(new StorageChange.PutUser(self)))));
        storage.force();
        isSigned = true;
      }
    } finally {
      letOthersWrite();
    }
    write(); // what could not be written meanwhile
  }

  /** Takes what a step asks to be stored; to be called in the order of the steps. */
  void take(List<Effect> effects) {
    for (int i = 0; i < effects.size(); i++) {
      if (effects.get(i) instanceof Effect.Store store) {
        waiting.add(store);
        long position = base + store.position();
        taken = position;
        if (store.isReliedOn() || position - awaited >= RESTING_MAX) {
          awaited = position;
        }
      }
    }
  }

  /** Steps taken before wait for no other one any more. */
  void rest() {
    rested = taken;
  }

  private boolean isDue() {
    return written < due();
  }

  /** Sees to it that what is due is stored; may write it on this thread. */
  void write() {
    if (!isDue()) {
      return;
    }
    if (disk.forcesEach()) {
      if (idle) {
        LockSupport.unpark(thread);
      }
      return;
    }
    // A thread that takes a step after this one has looked finds the lock free, and writes itself.
    while (!ended && isDue() && writing.tryLock()) {
      long upTo = writeLocked(false);
      if (upTo > 0) {
        stored.accept(upTo);
      }
    }
  }

  /**
   * Writes what waits, and gives the lock back.
   *
   * @return the node's step up to which all is stored; 0: nothing was written
   */
  private long writeLocked(boolean force) {
    Throwable wrong;
    try {
      List<Batch> batches = ended ? List.of() : batches();
      if (batches.isEmpty()) {
        return 0;
      }
      storage.write(batches);
      written = batches.get(batches.size() - 1).position();
      if (force || isForced(batches)) {
        storage.force();
      }
      confirmed = written;
      return written - base;
    } catch (RuntimeException | Error e) {
      // Nothing may be written after a batch that is not.
      ended = true;
      wrong = e;
    } finally {
      letOthersWrite();
    }
    failed.accept(wrong);
    return 0;
  }

  private List<Batch> batches() {
    Effect.Store store = waiting.poll();
    if (store == null) {
      return List.of();
    }
    if (waiting.isEmpty()) { // the rule: a step that finds nobody writing is written alone
      return List.of(batch(store));
    }
    List<Batch> batches = new ArrayList<>();
    long bytes = 0;
    for (; store != null; store = waiting.poll()) {
      batches.add(batch(store));
      bytes += valueBytes(store.changes());
      if (batches.size() == STEPS_MAX || bytes >= VALUE_BYTES_MAX) {
        break;
      }
    }
    return batches;
  }

  private Batch batch(Effect.Store store) {
    return new Batch(base + store.position(), store.changes());
  }

  private static long valueBytes(List<StorageChange> changes) {
    long bytes = 0;
    for (int i = 0; i < changes.size(); i++) {
      bytes += changes.get(i).valueBytes();
    }
    return bytes;
  }

  /**
   * Topologies and promises say which disks count when a grid is founded: no crash may take one
   * back.
   */
  private static boolean isForced(List<Batch> batches) {
    for (Batch batch : batches) {
      List<StorageChange> changes = batch.changes();
      for (int i = 0; i < changes.size(); i++) {
        StorageChange change = changes.get(i);
        if (change instanceof StorageChange.PutTopology
            || change instanceof StorageChange.PutPromise) {
          return true;
        }
      }
    }
    return false;
  }

  private void letOthersWrite() {
    writing.unlock();
    if (isGivenUp) {
      closeGivenUp();
    }
  }

  /** Of the thread that gives up and the one that writes, the second closes. */
  private void closeGivenUp() {
    if (writing.tryLock()) {
      try {
        if (!isClosed) {
          isClosed = true;
          storage.close();
        }
      } catch (RuntimeException e) {
        LOG.warn("{} could not close its disk", self, e);
      } finally {
        writing.unlock();
      }
    }
  }

  /** The position of the last step that is to be stored now. */
  long due() {
    return Math.max(awaited, rested);
  }

  /** The position up to which all counts as stored. */
  long stored() {
    return confirmed;
  }

  /** The node's step up to which the disk tells all values; below 0: it tells only older ones. */
  long readable() {
    return storage.readableUpTo() - base;
  }

  /** The values of what was written are to become readable soon. */
  void hurry() {
    storage.hurry();
  }

  /** Whether all up to a step of the node counts as stored. */
  boolean isStored(long step) {
    return confirmed >= base + step;
  }

  private void writeAlways() {
    while (!ended) {
      if (!isDue()) {
        idle = true;
        if (!isDue() && !ended) {
          LockSupport.park(this);
        }
        idle = false;
      } else {
        writing.lock();
        long upTo = writeLocked(true);
        if (upTo > 0) {
          stored.accept(upTo);
        }
      }
    }
  }

  private void forceAtTimes() {
    while (!ended) {
      LockSupport.parkNanos(this, disk.forceEveryMillis() * 1_000_000);
      long upTo = written;
      if (upTo > forced && !ended) {
        forced = upTo;
        if (force()) {
          forcedUpTo.accept(upTo - base);
        }
      }
    }
  }

  private boolean force() {
    try {
      storage.force();
      return true;
    } catch (RuntimeException | Error e) {
      if (!ended) { // else it was closed meanwhile
        ended = true;
        failed.accept(e);
      }
      return false;
    }
  }

  /**
   * Ends, and gives the disk up.
   *
   * @param orderly whether what was taken is still written and forced
   * @return why the disk does not have all that was taken; null: it has, or need not
   */
  @Nullable Throwable end(boolean orderly) {
    if (!mayWrite(orderly ? disk.timeoutMillis() : FAILURE_PATIENCE_MILLIS)) {
      ended = true;
      isGivenUp = true;
      LockSupport.unpark(thread);
      closeGivenUp();
      return new StorageException(
          StorageException.Reason.FAILED, "the disk has not let a write end in time", null);
    }
    try (storage) {
      if (orderly && !ended) {
        writeAll();
      }
      ended = true;
      return null;
    } catch (RuntimeException | Error e) {
      ended = true;
      return e;
    } finally {
      LockSupport.unpark(thread);
      writing.unlock();
    }
  }

  /** Whether the disk lets the thread that writes go on in time. */
  private boolean mayWrite(long patienceMillis) {
    boolean interrupted = false;
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    try {
      for (; ; ) {
        try {
          return writing.tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void writeAll() {
    for (List<Batch> batches = batches(); !batches.isEmpty(); batches = batches()) {
      storage.write(batches);
    }
    storage.force();
  }
}
