package io.canopygrid.it.leaving;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.Range;
import io.canopygrid.client.RemoteCanopy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nothing is lost where servers are asked to stop, or the servers say so and end with 1. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class LeavingIT {
  private static final int ENTRIES = 4_000;
  private static final int BATCH = 500;

  /** Less than any wait that is told here, and enough for a machine that is busy. */
  private static final long STOP_SECONDS = 120;

  private static final String LOST = "CNPY-4012";

  private final List<LeavingServer> servers = new ArrayList<>();

  @AfterEach
  void killWhatIsLeft() {
    servers.forEach(LeavingServer::close);
  }

  private LeavingServer start(int port, List<Integer> members, String... options)
      throws IOException {
    LeavingServer server = LeavingServer.start(port, members, options);
    servers.add(server);
    return server;
  }

  /** So many servers with the entries. */
  private List<LeavingServer> filled(int count, String... options) throws Exception {
    List<Integer> ports = LeavingServer.ports(count);
    for (int port : ports) {
      start(port, ports, options).address();
    }
    fill(servers.get(0));
    return servers;
  }

  private static void fill(LeavingServer server) throws Exception {
    try (Canopy db = RemoteCanopy.connect("canopy://" + server.address())) {
      Index<Long, String> index = db.index("people", Codec.int64(), Codec.string());
      for (long from = 0; from < ENTRIES; from += BATCH) {
        long first = from;
        db.run(tx -> {
          for (long key = first; key < first + BATCH; key++) {
            tx.on(index).put(key, "person " + key);
          }
        });
      }
    }
  }

  private static long count(LeavingServer server) throws Exception {
    try (Canopy db = RemoteCanopy.connect("canopy://" + server.address())) {
      Index<Long, String> index = db.index("people", Codec.int64(), Codec.string());
      return db.<Long, RuntimeException>read(tx -> tx.on(index).count(Range.all()));
    }
  }

  @Test
  void twoOfThreeTogetherLeaveTheThirdWithAllEntries() throws Exception {
    List<LeavingServer> three = filled(3);

    three.get(1).terminate();
    three.get(2).terminate();

    assertThat(three.get(1).exitCode(STOP_SECONDS)).isZero();
    assertThat(three.get(2).exitCode(STOP_SECONDS)).isZero();
    assertThat(count(three.get(0))).isEqualTo(ENTRIES);
  }

  @Test
  void allThreeTogetherEndInTimeAndTheLastOneSaysThatTheDataEnds() throws Exception {
    List<LeavingServer> three = filled(3);

    three.forEach(LeavingServer::terminate);

    for (LeavingServer server : three) {
      int code = server.exitCode(STOP_SECONDS);
      assertThat(code).as("%s", server.lines()).isZero();
    }
    assertThat(three.stream().flatMap(server -> server.lines().stream()))
        .filteredOn(line -> line.contains("the grid's data ends with it"))
        .hasSize(1);
  }

  @Test
  void aNodeThatIsJoiningIsLetInFirst() throws Exception {
    LeavingServer first = filled(1).get(0);
    LeavingServer second = start(LeavingServer.ports(1).get(0), List.of(first.port()));
    while (membersAt(first) < 2 && second.isAlive()) {
      Thread.sleep(5);
    }

    first.terminate();

    assertThat(first.exitCode(STOP_SECONDS)).isZero();
    assertThat(count(second)).isEqualTo(ENTRIES);
    assertThat(second.lines())
        .anyMatch(line -> line.startsWith("READY ") && line.endsWith(" joined"))
        .noneMatch(line -> line.contains("a new and empty one"));
  }

  @Test
  void aLoneServerStopsAtOnce() throws Exception {
    LeavingServer lone = filled(1, "--leave-timeout", "10min").get(0);

    lone.terminate();

    assertThat(lone.exitCode(STOP_SECONDS)).isZero();
    assertThat(lone.lines())
        .anyMatch(line -> line.startsWith("READY ") && line.endsWith(" founded"))
        .anyMatch(line -> line.contains("a new and empty one"))
        .anyMatch(line -> line.contains("the grid's data ends with it"));
  }

  @Test
  void everyNodeReplacedUnderLoadLosesNothing() throws Exception {
    List<LeavingServer> old = List.copyOf(filled(3));
    AtomicBoolean ends = new AtomicBoolean();
    AtomicLong put = new AtomicLong();
    LeavingServer entry = start(LeavingServer.ports(1).get(0), livePorts());
    Thread writer = new Thread(() -> write(entry, ends, put), "writer");
    entry.address();
    writer.start();
    for (LeavingServer leaver : old) {
      leaver.terminate();
      assertThat(leaver.exitCode(STOP_SECONDS)).isZero();
      start(LeavingServer.ports(1).get(0), livePorts()).address();
    }
    ends.set(true);
    writer.join();

    assertThat(put.get()).isPositive();
    assertThat(count(entry)).isEqualTo(ENTRIES + put.get());
  }

  /** The nodes of the cluster, as its metrics have it. */
  private static int membersAt(LeavingServer server) throws Exception {
    return (int) server.metric("canopy_cluster_members");
  }

  private List<Integer> livePorts() {
    return servers.stream().filter(LeavingServer::isAlive).map(LeavingServer::port).toList();
  }

  /** Adds entries with new keys, each in a transaction of its own. */
  private static void write(LeavingServer server, AtomicBoolean ends, AtomicLong put) {
    try (Canopy db = RemoteCanopy.connect("canopy://" + server.address())) {
      Index<Long, String> index = db.index("people", Codec.int64(), Codec.string());
      while (!ends.get()) {
        long key = ENTRIES + put.get();
        db.run(tx -> tx.on(index).put(key, "person " + key));
        put.incrementAndGet();
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aKillWhileAnotherNodeLeavesLosesNothingOrIsSaid() throws Exception {
    List<LeavingServer> four = filled(4, "--leave-timeout", "10s");

    four.get(3).terminate();
    four.get(2).kill();

    int code = four.get(3).exitCode(STOP_SECONDS);
    if (code == 0) {
      assertThat(count(four.get(0))).isEqualTo(ENTRIES);
    } else {
      assertThat(code).isOne();
      assertThat(four.get(3).lines()).anyMatch(line -> line.contains(LOST));
    }
  }

  @Test
  void aNodeWithTheOnlyCopyWaitsAndThenSaysThatItLeavesWithData() throws Exception {
    List<LeavingServer> two = filled(2, "--owners", "1", "--leave-timeout", "20s");

    two.get(1).terminate();
    two.get(1).awaitLine("waits to leave grid");

    assertThat(two.get(1).isAlive()).isTrue();
    assertThat(two.get(1).exitCode(STOP_SECONDS)).isOne();
    assertThat(two.get(1).lines()).anyMatch(line -> line.contains(LOST));
  }

  @Test
  void aSecondSignalEndsTheWait() throws Exception {
    List<LeavingServer> two = filled(2, "--owners", "1", "--leave-timeout", "10min");

    two.get(1).terminate();
    two.get(1).awaitLine("waits to leave grid");
    assertThat(two.get(1).isAlive()).isTrue();
    two.get(1).terminate();

    assertThat(two.get(1).exitCode(STOP_SECONDS)).isZero();
  }

  @Test
  void aNodeThatAbandonsWaitsForNothing() throws Exception {
    List<LeavingServer> two = filled(2, "--owners", "1", "--leave-timeout", "10min", "--abandon");

    two.get(1).terminate();

    assertThat(two.get(1).exitCode(20)).isZero();
  }

  @Test
  void theLogHasALineForEachMemberAndNoNoise() throws Exception {
    // A transaction that a busy machine makes slow is no noise.
    List<LeavingServer> three = filled(3, "--log-slow-transactions", "0ms");
    three.get(2).kill();
    assertThat(three.get(2).exitCode(STOP_SECONDS)).isNotZero();
    while (membersAt(three.get(0)) > 2) {
      Thread.sleep(20);
    }
    three.get(1).terminate();
    assertThat(three.get(1).exitCode(STOP_SECONDS)).isZero();
    three.get(0).terminate();
    assertThat(three.get(0).exitCode(STOP_SECONDS)).isZero();

    List<String> lines = three.get(0).lines();
    assertThat(lines).filteredOn(line -> line.contains("has joined; members: ")).hasSize(2);
    assertThat(lines).filteredOn(line -> line.contains("was lost; members: 2")).hasSize(1);
    assertThat(lines).filteredOn(line -> line.contains("has left in order")).hasSize(1);
    for (LeavingServer server : three) {
      assertThat(server.lines())
          .noneMatch(line -> line.contains(" ERROR ") || line.startsWith("\tat "))
          .anyMatch(line -> line.contains("in memory: all data is gone when all nodes stop"))
          .allMatch(line -> line.startsWith("READY ") || line.matches(".* i\\.c\\.(g|s\\.c)\\..*"));
    }
  }
}
