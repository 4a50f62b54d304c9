package io.canopygrid.it.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.ClusterConfig;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.Range;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.gmu.infinispan.GridSettings;
import io.canopygrid.gmu.infinispan.InfinispanGrid;
import io.canopygrid.gmu.infinispan.bootstrap.NetworkSettings;
import io.canopygrid.gmu.memory.TreeMapStore;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.server.endpoint.Endpoint;
import io.canopygrid.server.endpoint.access.Authentication;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.security.Users;
import io.canopygrid.ycsb.cluster.FreePorts;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.infinispan.commons.ThreadGroups;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A whole cluster in this JVM, with a server and a client, and no thread waits that must not. */
@Tag("blocking")
@Timeout(600)
final class NothingBlocksIT {
  private static final int NODES = 3;
  private static final int KEYS = 2_000;
  private static final int TRANSFERS = 100;

  @BeforeAll
  static void watch() {
    Watchdog.installed();
  }

  @Test
  void nodesThatStartJoinCommitSplitServeAndLeave() throws IOException, InterruptedException {
    List<Integer> ports = FreePorts.pick(NODES);
    List<String> members = ports.stream().map(port -> "127.0.0.1:" + port).toList();
    List<EmbeddedCanopy> nodes = new ArrayList<>();
    try {
      nodes.add(join(ports.get(0), members));
      fill(nodes.get(0));
      for (int port : ports.subList(1, NODES)) {
        nodes.add(join(port, members));
        nodes.forEach(NothingBlocksIT::transfer);
      }
      serve(nodes.get(0));
      nodes.remove(1).close();
      nodes.forEach(NothingBlocksIT::transfer);
    } finally {
      nodes.forEach(EmbeddedCanopy::close);
    }
    assertThat(Watchdog.installed().barks()).isEmpty();
  }

  private static EmbeddedCanopy join(int port, List<String> members) {
    return EmbeddedCanopy.join(ClusterConfig.of("blocking").shards(16).port(port).members(members));
  }

  private static Index<Integer, Long> index(Canopy db) {
    return db.index("accounts", Codec.int32(), Codec.int64());
  }

  private static void fill(Canopy db) {
    Index<Integer, Long> index = index(db);
    for (int from = 0; from < KEYS; from += 100) {
      int first = from;
      db.run(tx -> {
        for (int key = first; key < first + 100; key++) {
          tx.on(index).put(key, 10L);
        }
      });
    }
  }

  private static void transfer(Canopy db) {
    Index<Integer, Long> index = index(db);
    for (int i = 0; i < TRANSFERS; i++) {
      int from = i;
      db.run(tx -> {
        tx.on(index).merge(from, -1L, Long::sum);
        tx.on(index).merge(KEYS - 1 - from, 1L, Long::sum);
      });
    }
    long sum =
        db.call(tx -> {
          long total = 0;
          try (var cursor = tx.on(index).scan(Range.all())) {
            for (var entry : cursor) {
              total += entry.getValue();
            }
          }
          return total;
        });
    assertThat(sum).isEqualTo(10L * KEYS);
  }

  private static void callByHttp(String address) throws IOException, InterruptedException {
    HttpClient http = HttpClient.newHttpClient();
    for (int i = 0; i < TRANSFERS; i++) {
      String body =
          "{\"operations\":[{\"op\":\"put\",\"index\":\"called\",\"key\":" + i + ",\"value\":1}]}";
      HttpRequest.Builder request =
          i == 0
              ? HttpRequest.newBuilder(URI.create("http://" + address + "/api/v1/indexes/called"))
                  .PUT(
                      HttpRequest.BodyPublishers.ofString(
                          "{\"keys\":\"int32\",\"values\":\"int64\"}"))
              : HttpRequest.newBuilder(URI.create("http://" + address + "/api/v1/transactions"))
                  .POST(HttpRequest.BodyPublishers.ofString(body));
      HttpResponse<String> answer =
          http.send(
              request.header("content-type", "application/json").build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }
  }

  private static void serve(EmbeddedCanopy node) throws IOException, InterruptedException {
    Endpoint.Settings settings =
        new Endpoint.Settings(
            "blocking",
            "127.0.0.1",
            0,
            "",
            EndpointLimits.DEFAULTS,
            Authentication.NONE,
            new Users(node.served()),
            null);
    try (Endpoint endpoint = Endpoint.start(node.served(), settings);
        RemoteCanopy client = RemoteCanopy.connect("canopy://" + endpoint.address())) {
      transfer(client);
      callByHttp(endpoint.address());
    }
  }

  @Test
  void aCallThatBlocksAnEventLoopIsNoted() throws InterruptedException {
    sleepOn(new DefaultThreadFactory("planted-loop", true));

    assertThat(Watchdog.installed().takeOf("planted-loop")).hasSize(1);
  }

  @Test
  void aCallThatBlocksAThreadOfInfinispanIsNoted() throws InterruptedException {
    ThreadGroup group = ThreadGroups.NON_BLOCKING_GROUP;
    sleepOn(task -> new Thread(group, task, "planted-infinispan"));

    assertThat(Watchdog.installed().takeOf("planted-infinispan")).hasSize(1);
  }

  @Test
  void aCallThatBlocksATimerIsNoted() throws InterruptedException {
    sleepOn(task -> new Thread(task, "canopy-timer-planted"));

    assertThat(Watchdog.installed().takeOf("canopy-timer-planted")).hasSize(1);
  }

  @Test
  void aThreadOfJGroupsMayBlockWhoeverStartedIt() throws InterruptedException {
    ThreadGroup group = ThreadGroups.NON_BLOCKING_GROUP;
    sleepOn(task -> new Thread(group, task, "jgroups-planted"));

    assertThat(Watchdog.installed().takeOf("jgroups-planted")).isEmpty();
  }

  /** Questions are handed on by the JGroups thread that brings them. */
  @Test
  void aCallThatBlocksWhileAMessageIsTakenInIsNoted() throws IOException {
    List<Integer> ports = FreePorts.pick(2);
    List<String> members = ports.stream().map(port -> "127.0.0.1:" + port).toList();
    List<GmuNode> nodes = new ArrayList<>();
    try {
      for (int port : ports) {
        NetworkSettings network =
            new NetworkSettings("127.0.0.1", port, members, 10_000, Optional.empty());
        GridSettings grid =
            new GridSettings("planted", 4, 2, 30_000, 1 << 26, NodeSettings.DEFAULT);
        nodes.add(InfinispanGrid.join(grid, network, TreeMapStore.FACTORY, Fences.NONE));
      }
      nodes
          .get(0)
          .calls()
          .serve((question, answer) -> {
            pause();
            answer.accept(question);
          });
      nodes
          .get(1)
          .calls()
          .ask(nodes.get(0).self(), new byte[] {1})
          .orTimeout(120, TimeUnit.SECONDS)
          .join();
    } finally {
      nodes.forEach(GmuNode::close);
    }
    assertThat(Watchdog.installed().takeOf("jgroups"))
        .anySatisfy(bark -> assertThat(bark.toString()).contains("NothingBlocksIT.pause"));
  }

  private static void sleepOn(ThreadFactory threads) throws InterruptedException {
    Thread thread = threads.newThread(NothingBlocksIT::pause);
    thread.start();
    thread.join(60_000);
    assertThat(thread.isAlive()).isFalse();
  }

  /** The planted call. */
  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
