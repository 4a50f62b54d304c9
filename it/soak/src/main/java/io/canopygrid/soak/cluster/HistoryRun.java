package io.canopygrid.soak.cluster;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.Placement;
import io.canopygrid.history.HistoryHeader;
import io.canopygrid.history.HistoryWriter;
import io.canopygrid.history.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The clients of one node for a while.
 *
 * <p>The clients run until they are told to stop, or until they have committed exactly as much as
 * the command says. At last one client reads every key that was ever used.
 */
final class HistoryRun {
  private static final int STRIPES = 4;
  private static final int SLOTS = 16;
  private static final int NODES_MAX = 4_096;

  /** Numbers of clients of different nodes, and of the final reads, never meet. */
  private static final long PROCESSES_PER_NODE = 1_000_000;

  private final Canopy db;
  private final int nodeNumber;
  private final Command command;
  private final KeySlots slots;
  private final AtomicLong element = new AtomicLong();
  private final HistoryWriter writer;
  private final Recorder recorder;
  private final List<Thread> threads = new ArrayList<>();
  private final long started = System.nanoTime();
  private volatile boolean stopped;

  /**
   * Creates the file. The command's {@code final} is 1 for the reads at last, 0 before.
   *
   * @param placement of the grid; with {@link Placement#NEAR} the clients prefer a stripe
   */
  HistoryRun(Canopy db, String node, Placement placement, long baseNanos, Command command)
      throws IOException {
    this.db = db;
    this.nodeNumber = Integer.parseInt(node.substring(1));
    this.slots =
        placement == Placement.NEAR
            ? KeySlots.withOwnStripe(SLOTS, STRIPES, nodeNumber % STRIPES)
            : new KeySlots(SLOTS, STRIPES);
    this.command = command;
    HistoryHeader header =
        new HistoryHeader(
            workload(),
            command.number("seed"),
            List.of(command.text("nodes").split(",", -1)),
            2,
            command.text("version"),
            command.text("fault"),
            Instant.now().toString());
    this.writer =
        new HistoryWriter(
            Path.of(command.text("file")), header, () -> System.nanoTime() - baseNanos);
    long firstProcess = PROCESSES_PER_NODE * (2L * nodeNumber + command.integer("final"));
    this.recorder = new Recorder(writer, node, firstProcess);
  }

  /** Reads every key that was ever used; returns when that is done. */
  Command readAll() throws IOException, InterruptedException {
    int undone = client(0).runFinal();
    return stop().with("undone", undone);
  }

  /**
   * Starts the clients, which run until {@link #stop()}, or until they have committed enough
   * together.
   */
  void start() {
    long transactions = command.number("transactions");
    for (int i = 0; i < command.integer("clients"); i++) {
      HistoryClient client = client(i);
      Thread thread =
          new Thread(
              () -> {
                try {
                  client.run(() -> stopped || recorder.committed() >= transactions);
                } catch (RuntimeException | Error e) {
                  recorder.crash(e);
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              },
              "client-" + workload() + "-" + i);
      threads.add(thread);
      thread.start();
    }
  }

  /** Waits until the clients have committed enough. */
  Command await() throws IOException, InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    writer.close();
    return report();
  }

  /** Lets each client end its transaction, and closes the file. */
  Command stop() throws IOException, InterruptedException {
    stopped = true;
    return await();
  }

  /** Reports the clients' work so far. */
  Command report() {
    return recorder
        .report(Command.of("ok"))
        .with("numbers", slots.numbers())
        .with("millis", (System.nanoTime() - started) / 1_000_000);
  }

  private Workload workload() {
    return Workload.valueOf(command.text("workload"));
  }

  private HistoryClient client(int number) {
    LongSupplier elements = () -> element.incrementAndGet() * NODES_MAX + nodeNumber;
    Random random = new Random(command.number("seed") * 1_000 + nodeNumber * 100L + number);
    ClientBug plant = ClientBug.valueOf(command.text("plant"));
    IndexOptions options = IndexOptions.DEFAULTS.withSubtreeEntriesMax(command.integer("subtree"));
    String name = command.text("index");
    int numbers = command.integer("numbers");
    if (workload() == Workload.INDEX_SCAN) {
      Index<Long, long[]> index = db.index(name, Codec.int64(), LongsCodec.INSTANCE, options);
      return new IndexScanClient(
          db, index, recorder, elements, slots, STRIPES, numbers, random, plant);
    }
    Index<Integer, long[]> index = db.index(name, Codec.int32(), LongsCodec.INSTANCE, options);
    return new ListAppendClient(
        db, index, recorder, elements, slots, STRIPES, numbers, random, plant);
  }
}
