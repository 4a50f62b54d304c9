package io.canopygrid.soak.cluster;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.ReadTransaction;
import io.canopygrid.TransactionOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Overwrites the entries of one key set at a steady pace, and holds a snapshot open meanwhile: what
 * a node must keep for that, and nothing else, may make it grow.
 */
final class Churn {
  private static final int FILLED_AT_ONCE = 100;
  private static final int HELD_KEYS = 50;
  private static final TransactionOptions WRITE =
      TransactionOptions.labelled("churn").withTimeout(HistoryClient.TIMEOUT);
  private static final TransactionOptions HOLD =
      TransactionOptions.labelled("hold").withTimeout(TransactionOptions.TIMEOUT_MAX);

  private final Canopy db;
  private final Index<Long, long[]> index;
  private final int keys;
  private final int numbers;
  private final long everyNanos;
  private final Random random;
  private final AtomicLong committed = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private volatile boolean stopped = true;
  private @Nullable Thread writer;
  private @Nullable Held held;

  /** The command has the index, how many keys, the bytes of a value, and how many a second. */
  Churn(Canopy db, Command command) {
    this.db = db;
    this.index = db.index(command.text("index"), Codec.int64(), LongsCodec.INSTANCE);
    this.keys = command.integer("keys");
    this.numbers = command.integer("bytes") / Long.BYTES;
    this.everyNanos = 1_000_000_000L / command.integer("perSecond");
    this.random = new Random(command.number("seed"));
  }

  /** Writes every key once. */
  Command fill() {
    for (long first = 0; first < keys; first += FILLED_AT_ONCE) {
      long from = first;
      long end = Math.min(keys, first + FILLED_AT_ONCE);
      db.run(
          WRITE,
          tx -> {
            for (long key = from; key < end; key++) {
              tx.on(index).put(key, value(key));
            }
          });
    }
    return Command.of("ok");
  }

  private long[] value(long number) {
    long[] value = new long[numbers];
    Arrays.fill(value, number);
    return value;
  }

  /** Goes on until {@link #stop()}. */
  Command start() {
    stopped = false;
    Thread thread = new Thread(this::write, "churn");
    writer = thread;
    thread.start();
    return Command.of("ok");
  }

  private void write() {
    long next = System.nanoTime();
    while (!stopped) {
      long key = random.nextInt(keys);
      try {
        db.run(WRITE, tx -> tx.on(index).put(key, value(committed.get())));
        committed.incrementAndGet();
      } catch (CanopyException e) {
        if (failed.getAndIncrement() == 0) {
          System.err.println("the first update that failed: " + e);
        }
      }
      // A client that falls behind does not catch up.
      next = Math.max(next + everyNanos, System.nanoTime() - everyNanos);
      LockSupport.parkNanos(next - System.nanoTime());
    }
  }

  /** Stops writing; what was done so far. */
  Command stop() throws InterruptedException {
    stopped = true;
    Thread thread = writer;
    if (thread != null) {
      thread.join();
    }
    return Command.of("ok").with("committed", committed).with("failed", failed);
  }

  /** Opens a snapshot and reads from it. */
  Command hold() throws InterruptedException {
    Held opened = new Held();
    held = opened;
    opened.thread.start();
    opened.began.await();
    return Command.of("ok");
  }

  /** Reads the same once more, and closes the snapshot; whether it had changed. */
  Command release() throws InterruptedException {
    Held open = held;
    if (open == null) {
      throw new IllegalStateException("no snapshot is held");
    }
    held = null;
    open.enough.countDown();
    open.thread.join();
    if (open.failure != null) {
      throw new IllegalStateException("the snapshot could not be read", open.failure);
    }
    return Command.of("ok").with("changed", open.unchanged ? 0 : 1);
  }

  /** A snapshot that stays open. */
  private final class Held {
    private final CountDownLatch began = new CountDownLatch(1);
    private final CountDownLatch enough = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "hold");
    private volatile boolean unchanged;
    private volatile @Nullable Exception failure;

    private void run() {
      try {
        unchanged = db.read(HOLD, this::readTwice);
      } catch (CanopyException | InterruptedException e) {
        failure = e;
      } finally {
        began.countDown();
      }
    }

    private boolean readTwice(ReadTransaction tx) throws InterruptedException {
      List<long[]> first = some(tx);
      began.countDown();
      enough.await();
      List<long[]> again = some(tx);
      boolean same = true;
      for (int i = 0; i < HELD_KEYS; i++) {
        same &= Arrays.equals(first.get(i), again.get(i));
      }
      return same;
    }

    private List<long[]> some(ReadTransaction tx) {
      List<long[]> values = new ArrayList<>();
      for (int i = 0; i < HELD_KEYS; i++) {
        long[] value = tx.on(index).get((long) i * (keys / HELD_KEYS));
        values.add(value == null ? new long[0] : value);
      }
      return values;
    }
  }
}
