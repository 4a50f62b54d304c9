package io.canopygrid.it.leaving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Durability;
import io.canopygrid.Index;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.soak.ClusterFault;
import io.canopygrid.soak.Soak;
import io.canopygrid.soak.SoakOptions;
import io.canopygrid.soak.SoakReport;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers of the release before are replaced by those of this one, and back, one after the other,
 * while a client moves money: no operation fails, and the sum stays. Once the upgrade is finalized
 * the release before is refused.
 */
@Tag("releases")
final class UpgradeIT {
  /** The unpacked archive of the release before. */
  private static final Path PREVIOUS = Path.of(System.getProperty("canopy.previous"));

  private static final long SEED = Long.getLong("canopy.seed", 20_140_630L);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final long END_SECONDS = 120;
  private static final Duration GOES_ON_MAX = Duration.ofMinutes(1);
  private static final Duration TOLD_MAX = Duration.ofMinutes(1);
  private static final int SHARDS = 32;
  private static final int ACCOUNTS = 500;
  private static final long EACH = 1_000;
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path directory;

  private final List<LeavingServer> servers = new ArrayList<>();
  private final List<LeavingServer> three = new ArrayList<>();
  private List<Integer> ports = List.of();
  private List<Integer> clientPorts = List.of();

  @AfterEach
  void killWhatIsLeft() {
    servers.forEach(LeavingServer::close);
  }

  private LeavingServer start(int place, boolean isNew) throws Exception {
    String[] options = {
      "--owners",
      "2",
      "--node-name",
      "vm" + place,
      "--join-timeout",
      "120s",
      "--data-directory",
      directory.resolve("vm" + place).toString()
    };
    int port = ports.get(place);
    int clientPort = clientPorts.get(place);
    LeavingServer server =
        isNew
            ? LeavingServer.start(port, clientPort, ports, options)
            : LeavingServer.startOf(PREVIOUS, port, clientPort, ports, options);
    servers.add(server);
    return server;
  }

  /** Moves money between accounts until it is closed; what the servers do is not to end it. */
  private static final class Transfers implements AutoCloseable {
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final AtomicLong done = new AtomicLong();
    private final CompletableFuture<Void> end;

    Transfers(String addresses) {
      end = CompletableFuture.runAsync(() -> run(addresses));
    }

    private void run(String addresses) {
      Random random = new Random(SEED);
      try (Canopy db = RemoteCanopy.connect("canopy://" + addresses)) {
        Index<Long, Long> bank = db.index("bank", Codec.int64(), Codec.int64());
        while (!isClosed.get()) {
          long from = random.nextInt(ACCOUNTS);
          long to = random.nextInt(ACCOUNTS);
          db.run(tx -> {
            tx.on(bank).merge(from, -1L, Long::sum);
            tx.on(bank).merge(to, 1L, Long::sum);
          });
          done.incrementAndGet();
        }
      }
    }

    void check() {
      assertThat(end).as("no operation fails").isNotCompletedExceptionally();
    }

    @Override
    public void close() {
      isClosed.set(true);
      end.join();
    }
  }

  private HttpResponse<String> upgrade(int place, String method) throws Exception {
    URI uri = URI.create("http://" + three.get(place).address() + "/api/v1/upgrade");
    HttpRequest request =
        HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build();
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private JsonNode state(int place) throws Exception {
    HttpResponse<String> answer = upgrade(place, "GET");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(OK);
    return JSON.readTree(answer.body());
  }

  /** Looks until a state is as it should be: a node that does not answer in time has not told. */
  private void awaitState(int place, Consumer<JsonNode> check) {
    await().atMost(TOLD_MAX).untilAsserted(() -> check.accept(state(place)));
  }

  /** Finalizes the upgrade; where a node does not answer in time, that is refused. */
  private void raise(int place) throws Exception {
    await()
        .atMost(TOLD_MAX)
        .untilAsserted(() -> {
          HttpResponse<String> done = upgrade(place, "POST");
          assertThat(done.statusCode()).as(done.body()).isEqualTo(OK);
        });
    for (int each = 0; each < 3; each++) {
      assertThat(state(each).path("level").asInt()).isEqualTo(9);
      awaitState(each, raised -> assertThat(raised.path("final").asBoolean()).isTrue());
    }
  }

  private void replace(int place, boolean isNew, Transfers load) throws Exception {
    three.get(place).terminate();
    assertThat(three.get(place).exitCode(END_SECONDS)).isZero();
    three.set(place, start(place, isNew));
    three.get(place).address();
    three.get(place).awaitCopies(2 * SHARDS);
    long before = load.done.get();
    TimeUnit.SECONDS.sleep(1);
    await("it goes on")
        .atMost(GOES_ON_MAX)
        .until(() -> {
          load.check();
          return load.done.get() > before;
        });
  }

  @Test
  void serversAreReplacedUnderLoadAndBack() throws Exception {
    ports = LeavingServer.ports(3);
    clientPorts = LeavingServer.ports(3);
    for (int place = 0; place < 3; place++) {
      three.add(start(place, false));
      three.get(place).address();
    }
    String addresses =
        clientPorts.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    try (Canopy db = RemoteCanopy.connect("canopy://" + addresses)) {
      Index<Long, Long> bank = db.index("bank", Codec.int64(), Codec.int64());
      db.run(tx -> {
        for (long account = 0; account < ACCOUNTS; account++) {
          tx.on(bank).put(account, EACH);
        }
      });
    }
    long moved;
    try (Transfers load = new Transfers(addresses)) {
      replace(0, true, load);
      replace(1, true, load);
      assertThat(state(0).path("level").asInt()).isEqualTo(8);
      awaitState(
          0,
          mixed ->
              assertThat(mixed.path("obstacle").asText())
                  .contains("vm2")
                  .contains("speaks levels up to 8 only"));
      HttpResponse<String> refused = upgrade(1, "POST");
      assertThat(refused.statusCode()).isEqualTo(UNAVAILABLE);
      assertThat(refused.body()).contains("CNPY-4014");
      replace(1, false, load); // back
      replace(2, true, load);
      replace(0, false, load); // and with the only new one as the others' source
      replace(1, true, load);
      replace(0, true, load);
      awaitState(2, ready -> assertThat(ready.path("obstacle").asText()).isEmpty());
      assertThat(state(2).path("final").asBoolean()).isFalse();
      raise(2);
      three.get(0).terminate();
      assertThat(three.get(0).exitCode(END_SECONDS)).isZero();
      LeavingServer old = start(0, false);
      assertThat(old.exitCode(END_SECONDS)).as("%s", old.lines()).isNotZero();
      assertThat(old.lines())
          .anyMatch(line -> line.contains("CNPY-5001") && line.contains("is at level 9"));
      three.set(0, start(0, true));
      three.get(0).address();
      load.check();
      moved = load.done.get();
    }
    System.out.println(moved + " transfers while seven servers were replaced, none failed");
    for (int place = 0; place < 3; place++) {
      three.get(place).terminate();
      assertThat(three.get(place).exitCode(END_SECONDS)).isZero();
      assertThat(three.get(place).lines()).noneMatch(line -> line.contains("CNPY-4008"));
    }
    // The level is on the disks.
    for (int place = 0; place < 3; place++) {
      three.set(place, start(place, true));
    }
    assertThat(state(1).path("level").asInt()).isEqualTo(9);
    assertThat(sum(addresses)).isEqualTo(ACCOUNTS * EACH);
    assertThat(moved).isGreaterThan(1_000);
  }

  /** The money of all accounts. */
  private static long sum(String addresses) {
    try (Canopy db = RemoteCanopy.connect("canopy://" + addresses)) {
      Index<Long, Long> bank = db.index("bank", Codec.int64(), Codec.int64());
      return db.<Long, RuntimeException>read(tx -> {
        long all = 0;
        for (long account = 0; account < ACCOUNTS; account++) {
          all += Objects.requireNonNull(tx.on(bank).get(account));
        }
        return all;
      });
    }
  }

  /** Each node that takes the place of another is of the other release, also on its disk. */
  @Test
  void nodesOfTwoReleasesThatAreKilledShowNoAnomaly() throws Exception {
    Set<ClusterFault> faults = ClusterFault.parse("kill-all,rolling", Durability.ASYNC);
    SoakOptions options =
        SoakOptions.of(Duration.ofMillis(1), SEED)
            .durability(Durability.ASYNC)
            .faults(faults, faults.size())
            .previous(PREVIOUS);
    SoakReport report = new Soak(options, directory, false, System.out::println).run();
    System.out.println(report.text());
    assertThat(report.passed()).as("%s", report.text()).isTrue();
    assertThat(report.lostWrites()).isZero();
    assertThat(report.committed()).isGreaterThan(1_000);
  }
}
