package io.canopygrid.it.leaving;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.it.metrics.ServerMetrics;
import io.canopygrid.wire.client.Reply;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two of three servers die at once. */
final class MajorityLostIT {
  private static final int ENTRIES = 4_000;
  private static final int BATCH = 500;
  private static final int COPIES = 64;
  private static final long END_SECONDS = 60;
  private static final long SEEN_SECONDS = 30;
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final List<LeavingServer> servers = new ArrayList<>();

  @AfterEach
  void killWhatIsLeft() {
    servers.forEach(LeavingServer::close);
  }

  private LeavingServer start(int port, List<Integer> members, String... options) throws Exception {
    LeavingServer server = LeavingServer.start(port, members, options);
    servers.add(server);
    return server;
  }

  /** Three servers with the entries, and all copies. */
  private List<LeavingServer> three() throws Exception {
    List<Integer> ports = LeavingServer.ports(3);
    for (int i = 0; i < 3; i++) {
      start(ports.get(i), ports, "--node-name", "vm" + (i + 1)).address();
    }
    fill(servers.get(0), "people");
    awaitStatus(servers.get(0), status -> copies(status) == COPIES);
    return servers;
  }

  private static void fill(LeavingServer server, String name) throws Exception {
    try (Canopy db = RemoteCanopy.connect("canopy://" + server.address())) {
      Index<Long, String> index = db.index(name, Codec.int64(), Codec.string());
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

  private static Reply.Status awaitStatus(LeavingServer server, Predicate<Reply.Status> wanted)
      throws Exception {
    long end = System.nanoTime() + SEEN_SECONDS * 1_000_000_000L;
    try (RemoteCanopy db = RemoteCanopy.connect("canopy://" + server.address())) {
      for (; ; ) {
        Reply.Status status = db.status();
        if (wanted.test(status)) {
          return status;
        }
        assertThat(System.nanoTime() - end).as("%s", status).isNegative();
        Thread.sleep(50);
      }
    }
  }

  private static long reachable(Reply.Status status) {
    return status.nodes().stream().filter(Reply.NodeStatus::reachable).count();
  }

  private static int copies(Reply.Status status) {
    return status.nodes().stream()
        .filter(Reply.NodeStatus::reachable)
        .mapToInt(Reply.NodeStatus::ownedShards)
        .sum();
  }

  private static HttpResponse<String> page(LeavingServer server, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + server.address() + path)).build();
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void theOneThatIsLeftSaysSoAndTakesNoNodeIn() throws Exception {
    List<LeavingServer> three = three();
    LeavingServer left = three.get(0);
    assertThat(page(left, "/health/ready").statusCode()).isEqualTo(200);
    assertThat(left.lines())
        .anyMatch(line -> line.startsWith("READY ") && line.contains(" node vm1 grid "));

    three.get(1).kill();
    three.get(2).kill();

    Reply.Status status = awaitStatus(left, now -> reachable(now) == 1 && !now.ready());
    assertThat(status.nodes())
        .extracting(Reply.NodeStatus::name)
        .containsExactly("vm1", "vm2", "vm3");
    assertThat(status.nodes())
        .extracting(Reply.NodeStatus::reachable)
        .containsExactly(true, false, false);
    assertThat(copies(status)).isLessThan(COPIES);
    HttpResponse<String> notReady = page(left, "/health/ready");
    assertThat(notReady.statusCode()).isEqualTo(503);
    assertThat(notReady.body()).endsWith("these do not answer: vm2, vm3\n");
    assertThat(page(left, "/health/live").statusCode()).isEqualTo(200);
    ServerMetrics metrics = ServerMetrics.of(left.address());
    assertThat(metrics.value("canopy_node_ready")).isZero();
    assertThat(metrics.value("canopy_cluster_members")).isEqualTo(1);
    assertThat(metrics.value("canopy_cluster_members_lost")).isEqualTo(2);
    assertThat(metrics.value("canopy_cluster_shards_served")).isZero();
    assertThat(metrics.value("canopy_cluster_copies")).isEqualTo(copies(status));
    assertThat(metrics.value("canopy_cluster_copies_wanted")).isEqualTo(COPIES);

    left.awaitLines("CNPY-4001 SHARD_UNAVAILABLE: grid 'leaving' serves nothing", 1);
    assertThat(left.lines())
        .noneMatch(line -> line.contains(" ERROR ") || line.contains("ISPN"))
        .anyMatch(line -> line.contains(" vm2 ") && line.contains(" vm3 "));

    List<Integer> ports = three.stream().map(LeavingServer::port).toList();
    LeavingServer back = start(ports.get(1), ports, "--join-timeout", "12s");
    assertThat(back.exitCode(END_SECONDS)).isEqualTo(1);
    assertThat(back.lines())
        .anyMatch(line -> line.contains("CNPY-4001"))
        .noneMatch(line -> line.contains("IllegalStateException"))
        .noneMatch(line -> line.startsWith("READY "));
  }
}
