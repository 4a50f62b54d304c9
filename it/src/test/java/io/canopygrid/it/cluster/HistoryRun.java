package io.canopygrid.it.cluster;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.it.history.HistoryHeader;
import io.canopygrid.it.history.HistoryWriter;
import io.canopygrid.it.history.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The clients of one node for a while: a command's execution.
 *
 * <p>With {@code final=0} they run transactions until the node has committed {@code transactions},
 * and tell how many keys they used; with {@code final=1} one client reads all of them.
 */
final class HistoryRun {
  private static final int STRIPES = 4;
  private static final int SLOTS = 16;
  private static final int NODES_MAX = 64;

  /** Numbers of clients of different nodes, and of the final reads, never meet. */
  private static final long PROCESSES_PER_NODE = 1_000_000;

  private final Canopy db;
  private final String node;
  private final int nodeNumber;
  private final long baseNanos;
  private final Command command;
  private final KeySlots slots = new KeySlots(SLOTS, STRIPES);

  HistoryRun(Canopy db, String node, long baseNanos, Command command) {
    this.db = db;
    this.node = node;
    this.nodeNumber = Integer.parseInt(node.substring(1));
    this.baseNanos = baseNanos;
    this.command = command;
  }

  Command run() throws IOException, InterruptedException {
    boolean fin = command.integer("final") == 1;
    long firstProcess = PROCESSES_PER_NODE * (2 * nodeNumber + (fin ? 1 : 0));
    AtomicLong element = new AtomicLong();
    LongSupplier elements = () -> element.incrementAndGet() * NODES_MAX + nodeNumber;
    HistoryHeader header =
        new HistoryHeader(
            workload(),
            command.number("seed"),
            List.of("n1", "n2", "n3"),
            2,
            command.text("version"),
            "none",
            Instant.now().toString());
    long started = System.nanoTime();
    try (HistoryWriter writer =
        new HistoryWriter(
            Path.of(command.text("file")), header, () -> System.nanoTime() - baseNanos)) {
      Recorder recorder = new Recorder(writer, node, firstProcess);
      if (fin) {
        client(recorder, elements, 0).runFinal();
      } else {
        runClients(recorder, elements);
      }
      return recorder
          .report(Command.of("ok"))
          .with("numbers", slots.numbers())
          .with("millis", (System.nanoTime() - started) / 1_000_000);
    }
  }

  private Workload workload() {
    return Workload.valueOf(command.text("workload"));
  }

  private void runClients(Recorder recorder, LongSupplier elements) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < command.integer("clients"); i++) {
      HistoryClient client = client(recorder, elements, i);
      Thread thread =
          new Thread(
              () -> {
                try {
                  client.run(command.number("transactions"));
                } catch (RuntimeException | Error e) {
                  recorder.error(e);
                }
              },
              "client-" + i);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private HistoryClient client(Recorder recorder, LongSupplier elements, int number) {
    Random random = new Random(command.number("seed") * 1_000 + nodeNumber * 100L + number);
    Plant plant = Plant.valueOf(command.text("plant"));
    IndexOptions options =
        IndexOptions.DEFAULTS
            .withArity(command.integer("arity"))
            .withSubtreeEntriesMax(command.integer("subtree"));
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
