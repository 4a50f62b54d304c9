package io.canopygrid.it.fulldisk;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.CommitState;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.cli.JavaCommand;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.ycsb.cluster.FreePorts;
import io.canopygrid.ycsb.cluster.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/**
 * One of two servers has a small disk, which is filled under load: puts are refused, nobody stops,
 * and all that was told is there, also after both were killed. Needs the right to mount.
 */
@Timeout(400)
final class FullDiskIT {
  private static final int DISK_MIB = 640;

  /**
   * Room for two logs, which the engine makes 70 MiB long at once, and for the files that it writes
   * from its buffers meanwhile.
   */
  private static final int RESERVE_MIB = 300;

  private static final int WRITERS = 3;
  private static final int VALUE_BYTES = 1_000;
  private static final Duration MAX = Duration.ofSeconds(90);

  private final List<ServerProcess> servers = new ArrayList<>();
  private final Map<Long, byte[]> told = new ConcurrentHashMap<>();
  private final Queue<CanopyException> refused = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean ended = new AtomicBoolean();

  @TempDir private Path temporary;

  @AfterEach
  void stop() {
    servers.forEach(ServerProcess::kill);
  }

  private SmallDisk smallDisk() throws IOException {
    try {
      return SmallDisk.of(Files.createDirectory(temporary.resolve("small")), DISK_MIB);
    } catch (IOException e) {
      throw new TestAbortedException("needs the right to mount a file system", e);
    }
  }

  /** Starts both; their addresses for clients. */
  private List<String> start(SmallDisk disk, List<Integer> ports) throws Exception {
    String members = "127.0.0.1:" + ports.get(0) + ",127.0.0.1:" + ports.get(1);
    for (int i = 0; i < 2; i++) {
      List<String> command = new ArrayList<>(i == 0 ? List.of() : disk.within());
      command.addAll(JavaCommand.ofThisJvm());
      command.addAll(List.of("-Xmx256m", "-cp", JavaCommand.classPath()));
      command.addAll(List.of("io.canopygrid.server.cli.Main", "server", "--attached"));
      command.addAll(List.of("--name", "full", "--bind", "127.0.0.1", "--shards", "16"));
      command.addAll(List.of("--port", ports.get(i).toString(), "--join", members));
      command.addAll(List.of("--client-port", ports.get(2 + i).toString()));
      command.addAll(List.of("--data-directory", data(i).toString()));
      command.addAll(i == 0 ? List.of() : List.of("--data-reserve", RESERVE_MIB + "MiB"));
      servers.add(ServerProcess.start("server " + i, command, Narrator.onStandardError()));
    }
    List<String> addresses = new ArrayList<>();
    for (ServerProcess server : servers) {
      addresses.add("canopy://" + server.awaitReady(MAX));
    }
    return addresses;
  }

  private Path data(int server) {
    return temporary.resolve(server == 0 ? "large" : "small/data");
  }

  private static Index<Long, byte[]> entries(Canopy db) {
    return db.index("entries", Codec.int64(), Codec.bytes());
  }

  private void write(String address, int writer) {
    SplittableRandom random = new SplittableRandom(writer);
    try (Canopy db = RemoteCanopy.connect(address)) {
      Index<Long, byte[]> entries = entries(db);
      for (long key = writer; !ended.get(); key += WRITERS) {
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        long next = key;
        try {
          db.run(tx -> tx.on(entries).put(next, value));
          told.put(next, value);
        } catch (CanopyException e) {
          refused.add(e);
        }
      }
    }
  }

  /** All that was told by now is there, and nothing that was removed. */
  private void check(String address, List<Long> removed) {
    Map<Long, byte[]> expected = Map.copyOf(told);
    try (Canopy db = RemoteCanopy.connect(address)) {
      Index<Long, byte[]> entries = entries(db);
      Map<Long, byte[]> found =
          db.read(tx -> {
            Map<Long, byte[]> all = new HashMap<>();
            try (Cursor<Long, byte[]> cursor = tx.on(entries).scan()) {
              cursor.forEach(entry -> all.put(entry.getKey(), entry.getValue()));
            }
            return all;
          });
      expected.forEach(
          (key, value) -> assertThat(found.get(key)).as("entry %s", key).isEqualTo(value));
      assertThat(found).doesNotContainKeys(removed.toArray(Long[]::new));
    }
  }

  private void awaitMore(int count) {
    int before = told.size();
    Awaitility.await().atMost(MAX).until(() -> told.size() >= before + count);
  }

  @Test
  void aFullDiskRefusesPutsAndStopsNobody() throws Exception {
    List<Integer> ports = FreePorts.pick(4);
    try (SmallDisk disk = smallDisk()) {
      List<String> addresses = start(disk, ports);
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        writers.add(new Thread(() -> write(addresses.get(writer % 2), writer), "writer-" + i));
      }
      writers.forEach(Thread::start);
      awaitMore(1_000);

      // The engine gives logs back meanwhile, which must not be enough to go on.
      disk.fill(RESERVE_MIB / 2);
      Awaitility.await().atMost(MAX).until(() -> refused.size() > 100);
      List<Long> removed = removeSome(addresses.get(0));
      check(addresses.get(1), removed);

      disk.empty();
      awaitMore(1_000);
      ended.set(true);
      for (Thread writer : writers) {
        writer.join();
      }
      assertThat(refused)
          .allSatisfy(e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL);
            assertThat(e.commitState()).isEqualTo(CommitState.NOT_COMMITTED);
            assertThat(e.detail())
                .contains("of index 'entries'", data(1).toString(), "keeps back 300 MiB");
          });
      for (String address : addresses) {
        check(address, removed);
      }

      servers.forEach(ServerProcess::kill);
      servers.clear();
      for (String address : start(disk, ports)) {
        check(address, removed);
      }
    }
  }

  private List<Long> removeSome(String address) {
    List<Long> some = told.keySet().stream().limit(100).toList();
    try (Canopy db = RemoteCanopy.connect(address)) {
      Index<Long, byte[]> entries = entries(db);
      for (long key : some) {
        db.run(tx -> tx.on(entries).remove(key));
        told.remove(key);
      }
    }
    return some;
  }
}
