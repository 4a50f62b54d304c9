package io.canopygrid.soak.cluster;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.TransactionOptions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Clients that read and overwrite entries of a filled index at a steady pace. The latency of an
 * operation counts from when it was due: an operation that starts late because another one took
 * long has waited too.
 */
public final class SteadyLoad {
  private static final int DIGITS = 3;
  private static final int READS_OF_TEN = 8;
  private static final TransactionOptions OPTIONS =
      TransactionOptions.labelled("load").withTimeout(HistoryClient.TIMEOUT);

  private final Canopy db;
  private final Index<Long, long[]> index;
  private final int keys;
  private final int numbers;
  private final int clients;
  private final long everyNanos;
  private final long seed;
  private final Recorder latencies = new Recorder(DIGITS);
  private final AtomicLong failed = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  /** The command has the index, its keys, the bytes of a value, clients, and how many a second. */
  SteadyLoad(Canopy db, Command command) {
    this.db = db;
    this.index = db.index(command.text("index"), Codec.int64(), LongsCodec.INSTANCE);
    this.keys = command.integer("keys");
    this.numbers = command.integer("bytes") / Long.BYTES;
    this.clients = command.integer("clients");
    this.everyNanos = 1_000_000_000L * clients / command.integer("perSecond");
    this.seed = command.number("seed");
  }

  Command start() {
    for (int i = 0; i < clients; i++) {
      Random random = new Random(seed * clients + i);
      Thread thread = new Thread(() -> run(random), "load-" + i);
      threads.add(thread);
      thread.start();
    }
    return Command.of("ok");
  }

  private void run(Random random) {
    long due = System.nanoTime() + random.nextInt((int) everyNanos);
    while (!stopped) {
      LockSupport.parkNanos(due - System.nanoTime());
      if (System.nanoTime() - due >= 0) {
        operate(random);
        latencies.recordValue(Math.max(0, System.nanoTime() - due));
        due += everyNanos;
      }
    }
  }

  private void operate(Random random) {
    long key = random.nextInt(keys);
    try {
      if (random.nextInt(10) < READS_OF_TEN) {
        if (!db.<Boolean, RuntimeException>read(OPTIONS, tx -> tx.on(index).containsKey(key))) {
          throw new IllegalStateException("no entry " + key);
        }
      } else {
        db.run(OPTIONS, tx -> tx.on(index).put(key, new long[numbers]));
      }
    } catch (CanopyException | IllegalStateException e) {
      if (failed.getAndIncrement() == 0) {
        System.err.println("the first operation that failed: " + e);
      }
    }
  }

  /** Reports the operations since the last call. */
  Command report() {
    Histogram histogram = latencies.getIntervalHistogram();
    ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(bytes);
    String text = Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    return Command.of("ok").with("failed", failed.getAndSet(0)).with("latencies", text);
  }

  /** Lets each client end its operation. */
  Command stop() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
    return report();
  }

  /** The latencies in nanoseconds that a report has. */
  public static Histogram latencies(Command report) {
    byte[] bytes = Base64.getDecoder().decode(report.text("latencies"));
    try {
      return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("no histogram: " + report, e);
    }
  }
}
