package io.canopygrid.it.cold;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.Index;
import io.canopygrid.TransactionOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.it.metrics.ServerMetrics;
import io.canopygrid.server.cli.JavaCommand;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.ycsb.cluster.FreePorts;
import io.canopygrid.ycsb.cluster.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers whose entries have eight times the bytes that they may take in memory, and in the long
 * form, {@code -Dcanopy.cold.entries=60000}, more than the heap: each read shows what was written
 * last, also while entries are written, in a scan, after all servers were killed, and at a server
 * that has got its copies from another one.
 */
@Timeout(400)
@Tag("alone")
final class LargerThanMemoryIT {
  private static final int ENTRIES = Integer.getInteger("canopy.cold.entries", 36_000);
  private static final int VALUE_BYTES = 4_000;
  private static final int MEMORY_MIB = (int) (((long) ENTRIES * VALUE_BYTES / 8) >> 20);
  private static final int HEAP_MIB = 224;
  private static final int WRITERS = 3;
  private static final int BATCH = 32;
  private static final int WRITTEN_AGAIN = 1_500;
  private static final Duration MAX = Duration.ofMinutes(2);

  private final List<ServerProcess> servers = new ArrayList<>();
  private List<Integer> ports = List.of();

  /** The number of times that each key was written, as far as that was told. */
  private final AtomicLongArray written = new AtomicLongArray(ENTRIES);

  @TempDir private Path directories;

  @AfterEach
  void stop() {
    servers.forEach(ServerProcess::kill);
  }

  private void start(int place) throws Exception {
    String members = "127.0.0.1:" + ports.get(0) + ",127.0.0.1:" + ports.get(1);
    List<String> command = new ArrayList<>(JavaCommand.ofThisJvm());
    command.add("-Xmx" + HEAP_MIB + "m");
    command.addAll(List.of("-cp", JavaCommand.classPath()));
    command.addAll(List.of("io.canopygrid.server.cli.Main", "server", "--attached"));
    command.addAll(List.of("--name", "cold", "--bind", "127.0.0.1", "--shards", "16"));
    command.addAll(List.of("--port", ports.get(place).toString(), "--join", members));
    command.addAll(List.of("--client-port", ports.get(3 + place).toString()));
    command.addAll(List.of("--data-directory", directories.resolve("vm" + place).toString()));
    command.addAll(List.of("--memory-max", MEMORY_MIB + "MiB"));
    command.addAll(List.of("--join-timeout", "2min"));
    servers.add(ServerProcess.start("server " + place, command, Narrator.onStandardError()));
  }

  private String address(int place) {
    return "127.0.0.1:" + ports.get(3 + place);
  }

  private void awaitReady() throws Exception {
    for (ServerProcess server : servers) {
      server.awaitReady(MAX);
    }
  }

  private static Index<Long, byte[]> entries(Canopy db) {
    return db.index("entries", Codec.int64(), Codec.bytes());
  }

  private static byte[] value(long key, long times) {
    byte[] value = new byte[VALUE_BYTES];
    new SplittableRandom(key * 1_000 + times).nextBytes(value);
    return value;
  }

  /** Writes each key of one writer once, in order. */
  private void fill(int writer) {
    try (Canopy db = RemoteCanopy.connect("canopy://" + address(writer % 2))) {
      Index<Long, byte[]> entries = entries(db);
      for (int first = writer * BATCH; first < ENTRIES; first += WRITERS * BATCH) {
        int from = first;
        db.run(tx -> {
          for (long key = from; key < Math.min(ENTRIES, from + BATCH); key++) {
            tx.on(entries).put(key, value(key, 1));
          }
        });
        for (int key = from; key < Math.min(ENTRIES, from + BATCH); key++) {
          written.set(key, 1);
        }
      }
    }
  }

  /** Writes some keys again, each by its one writer. */
  private void write(int writer) {
    SplittableRandom random = new SplittableRandom(writer);
    try (Canopy db = RemoteCanopy.connect("canopy://" + address(writer % 2))) {
      Index<Long, byte[]> entries = entries(db);
      for (int i = 0; i < WRITTEN_AGAIN; i++) {
        long key = random.nextInt(ENTRIES / WRITERS) * (long) WRITERS + writer;
        long times = written.get((int) key) + 1;
        db.run(tx -> tx.on(entries).put(key, value(key, times)));
        written.set((int) key, times);
      }
    }
  }

  /** Reads what was told before, or something newer, until told to end. */
  private void read(AtomicBoolean ends) {
    SplittableRandom random = new SplittableRandom(7);
    try (Canopy db = RemoteCanopy.connect("canopy://" + address(1))) {
      Index<Long, byte[]> entries = entries(db);
      while (!ends.get()) {
        long key = random.nextInt(ENTRIES / WRITERS * WRITERS);
        long before = written.get((int) key);
        byte[] found =
            db.<byte[], RuntimeException>read(
                tx -> Objects.requireNonNull(tx.on(entries).get(key)));
        long after = written.get((int) key) + 1;
        boolean fits = false;
        for (long times = before; times <= after; times++) {
          fits |= Arrays.equals(found, value(key, times));
        }
        assertThat(fits).as("entry %s, written %s times", key, before).isTrue();
      }
    }
  }

  /** All that was told is there, in order, and nothing else. */
  private void check(int place) {
    try (Canopy db = RemoteCanopy.connect("canopy://" + address(place))) {
      Index<Long, byte[]> entries = entries(db);
      long found =
          db.<Long, RuntimeException>read(
              TransactionOptions.DEFAULTS.withTimeout(MAX),
              tx -> {
                long next = 0;
                try (Cursor<Long, byte[]> cursor = tx.on(entries).scan()) {
                  for (Map.Entry<Long, byte[]> entry : cursor) {
                    assertThat(entry.getKey()).isEqualTo(next);
                    assertThat(entry.getValue())
                        .as("entry %s", next)
                        .isEqualTo(value(next, written.get((int) next)));
                    next++;
                  }
                }
                return next;
              });
      assertThat(found).isEqualTo(ENTRIES);
    }
  }

  private double metric(int place, String name) throws Exception {
    return ServerMetrics.of(address(place)).value(name);
  }

  private static void together(Runnable... works) {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (Runnable work : works) {
      all.add(CompletableFuture.runAsync(work, task -> new Thread(task).start()));
    }
    all.forEach(CompletableFuture::join);
  }

  @Test
  void readsShowWhatWasWritten() throws Exception {
    ports = FreePorts.pick(6);
    start(0);
    start(1);
    awaitReady();
    together(() -> fill(0), () -> fill(1), () -> fill(2));
    AtomicBoolean ends = new AtomicBoolean();
    CompletableFuture<Void> reader =
        CompletableFuture.runAsync(() -> read(ends), task -> new Thread(task).start());
    together(() -> write(0), () -> write(1), () -> write(2));
    ends.set(true);
    reader.join();
    check(0);
    assertThat(metric(0, "canopy_node_cold_reads_total")).isGreaterThan(ENTRIES / 4.0);

    servers.forEach(ServerProcess::kill);
    servers.clear();
    start(0);
    start(1);
    awaitReady();
    check(1);
    for (int place = 0; place < 2; place++) {
      assertThat(metric(place, "canopy_node_entries_memory_bytes"))
          .isLessThan(1.5 * metric(place, "canopy_node_entries_memory_max_bytes"));
    }

    start(2);
    servers.get(2).awaitReady(MAX);
    Awaitility.await()
        .atMost(MAX)
        .until(() -> metric(2, "canopy_node_state_shards_whole_total") > 0);
    servers.get(0).kill();
    Awaitility.await()
        .atMost(MAX)
        .ignoreExceptionsMatching(CanopyException.class::isInstance)
        .untilAsserted(() -> check(2));
  }
}
