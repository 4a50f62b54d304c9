package io.canopygrid.it.leaving;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Range;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.cli.JavaCommand;
import io.canopygrid.wire.client.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers with disks die at once, some disks are lost, and an operator says so. */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
final class RecoverIT {
  private static final int ENTRIES = 2_000;
  private static final int BATCH = 500;
  private static final int INDEXES = 40;
  private static final int SHARDS = 32;
  private static final long SEEN_SECONDS = 60;
  private static final String WAITS = "waits for disks";

  @TempDir Path directory;

  private final List<LeavingServer> all = new ArrayList<>();
  private final Map<Integer, LeavingServer> servers = new HashMap<>();
  private final List<Integer> clientPorts = new ArrayList<>();
  private List<Integer> ports = List.of();

  @AfterEach
  void killWhatIsLeft() {
    all.forEach(LeavingServer::close);
  }

  private record Run(int exitCode, String out) {}

  /** Runs {@code canopy recover} against some servers. */
  private Run recover(List<Integer> places, String... options) throws Exception {
    List<String> command = JavaCommand.ofThisJvm();
    command.addAll(List.of("-cp", JavaCommand.classPath()));
    command.addAll(List.of("io.canopygrid.server.cli.Main", "recover", "-c"));
    command.add(
        "canopy://"
            + String.join(
                ",", places.stream().map(each -> "127.0.0.1:" + clientPorts.get(each)).toList()));
    command.addAll(List.of(options));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Run(process.waitFor(), out);
  }

  private Path disk(int place) {
    return directory.resolve("disk-" + place);
  }

  private LeavingServer start(int place, int owners) throws IOException {
    LeavingServer server =
        LeavingServer.start(
            ports.get(place),
            clientPorts.get(place),
            ports,
            "--node-name",
            "vm" + place,
            "--owners",
            Integer.toString(owners),
            "--join-timeout",
            "3min",
            "--data-directory",
            disk(place).toString());
    all.add(server);
    servers.put(place, server);
    return server;
  }

  private LeavingServer server(int place) {
    LeavingServer server = servers.get(place);
    assertThat(server).isNotNull();
    return server;
  }

  /** Three servers with entries of which all copies are there; the first one is the oldest. */
  private void startThree(int owners) throws Exception {
    ports = LeavingServer.ports(3);
    clientPorts.addAll(LeavingServer.ports(3));
    for (int place = 0; place < 3; place++) {
      start(place, owners).address();
    }
    try (RemoteCanopy db = connect(0)) {
      put(db, "then");
      for (long key = 200; key < ENTRIES; key += 200) {
        split(db, Codec.int64().encode(key));
      }
      for (int number = 0; number < INDEXES; number++) {
        Index<Long, String> index = db.index("i" + number, Codec.int64(), Codec.string());
        db.run(tx -> tx.on(index).put(1L, "a"));
      }
      awaitCopies(db, owners * SHARDS);
    }
  }

  private static void put(Canopy db, String value) {
    Index<Long, String> index = db.index("people", Codec.int64(), Codec.string());
    for (long from = 0; from < ENTRIES; from += BATCH) {
      long first = from;
      db.run(tx -> {
        for (long key = first; key < first + BATCH; key++) {
          tx.on(index).put(key, value);
        }
      });
    }
  }

  /** Cuts an index in two, unless the balance has done so there. */
  private static void split(Canopy db, byte[] at) {
    try {
      db.structure("people").split(at);
    } catch (CanopyException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }
  }

  private static void awaitCopies(RemoteCanopy db, int copies) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SEEN_SECONDS);
    while (db.status().nodes().stream().mapToInt(Reply.NodeStatus::ownedShards).sum() != copies) {
      assertThat(System.nanoTime() - end).as("%s", db.status()).isNegative();
      Thread.sleep(50);
    }
  }

  private RemoteCanopy connect(int place) throws Exception {
    return RemoteCanopy.connect("canopy://" + server(place).address());
  }

  private void killAll() throws InterruptedException {
    servers.values().forEach(LeavingServer::kill);
    for (LeavingServer server : servers.values()) {
      server.exitCode(20);
    }
    servers.clear();
  }

  private void away(int place) throws IOException {
    Files.move(disk(place), directory.resolve("away-" + place));
  }

  private void back(int place) throws IOException {
    Files.move(directory.resolve("away-" + place), disk(place));
  }

  private static long linesWith(LeavingServer server, String text) {
    return server.lines().stream().filter(line -> line.contains(text)).count();
  }

  private static long count(Canopy db, String value) {
    Index<Long, String> index = db.index("people", Codec.int64(), Codec.string());
    return db.read(tx -> tx.on(index).scan(Range.all()).values().filter(value::equals).count());
  }

  /** Three owners: the disk that is left has all, but could not know that it has. */
  @Test
  void oneOfThreeGoesOnByTheWordAndLosesNothing() throws Exception {
    startThree(3);
    killAll();
    away(1);
    away(2);
    start(0, 3).awaitLine(WAITS);
    Run list = recover(List.of(0));
    assertThat(list.out()).contains("vm1", "vm2", "none of " + SHARDS, WAITS);
    assertThat(list.exitCode()).isZero();

    assertThat(recover(List.of(0), "--without", "vm7", "--yes").exitCode()).isEqualTo(2);
    Run word = recover(List.of(0), "--without", "vm1", "--without", "vm2", "--yes");
    assertThat(word.out()).contains("could have gone on", "CNPY-5004");
    assertThat(word.exitCode()).isZero();
    try (Canopy db = connect(0)) {
      assertThat(count(db, "then")).isEqualTo(ENTRIES);
      put(db, "now");
    }
    assertThat(linesWith(server(0), "CNPY-5004 DISKS_LOST")).isOne();
    assertThat(recover(List.of(0)).exitCode()).as("it waits no longer").isOne();

    back(1);
    start(1, 3);
    try (RemoteCanopy db = connect(1)) {
      assertThat(count(db, "now")).isEqualTo(ENTRIES);
      awaitCopies(db, 2 * SHARDS);
    }
    killAll();
    start(0, 3);
    start(1, 3);
    try (Canopy db = connect(1)) {
      assertThat(count(db, "now")).as("the disk that was lost counts again").isEqualTo(ENTRIES);
    }
  }

  /** Two owners: no copy of some shards is left. */
  @Test
  void shardsWithoutACopyBeginEmptyWhereTheOperatorSaysSo() throws Exception {
    startThree(2);
    killAll();
    away(1);
    away(2);
    start(0, 2).awaitLine(WAITS);

    assertThat(recover(List.of(0), "--without", "vm1", "--yes").exitCode()).isZero();
    Run refused = recover(List.of(0), "--without", "vm2", "--yes");
    assertThat(refused.out()).contains("CNPY-5004", " of " + SHARDS + ": ", "--lose-shards");
    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(linesWith(server(0), "READY ")).isZero();
    Run word = recover(List.of(0), "--without", "vm2", "--yes", "--lose-shards");
    assertThat(word.exitCode()).as(word.out()).isZero();

    try (Canopy db = connect(0)) {
      int lost = 0;
      for (int number = 0; number < INDEXES; number++) {
        Index<Long, String> index = db.index("i" + number, Codec.int64(), Codec.string());
        if (db.read(tx -> Optional.ofNullable(tx.on(index).get(1L))).isEmpty()) {
          lost++;
          db.dropIndex("i" + number);
          Index<Long, String> anew = db.index("i" + number, Codec.int64(), Codec.string());
          db.run(tx -> tx.on(anew).put(1L, "b"));
        } else {
          db.run(tx -> tx.on(index).put(1L, "b"));
        }
      }
      assertThat(lost).isBetween(1, INDEXES - 1);
      assertThat(lostPeople(db)).isBetween(1L, (long) ENTRIES / 50);
      assertThatThrownBy(() -> count(db, "then"))
          .isInstanceOfSatisfying(
              CanopyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DISKS_LOST));
      db.dropIndex("people");
      put(db, "now");
      assertThat(count(db, "now")).isEqualTo(ENTRIES);
    }
  }

  /** Counts the keys that cannot be read; the others have what they had. */
  private static long lostPeople(Canopy db) {
    Index<Long, String> people = db.index("people", Codec.int64(), Codec.string());
    long lost = 0;
    for (long key = 0; key < ENTRIES; key += 50) {
      long wanted = key;
      try {
        Optional<String> value = db.read(tx -> Optional.ofNullable(tx.on(people).get(wanted)));
        assertThat(value.orElse("then")).as("key %s", key).isEqualTo("then");
        lost += value.isEmpty() ? 1 : 0;
      } catch (CanopyException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.DISKS_LOST);
        lost++;
      }
    }
    return lost;
  }
}
