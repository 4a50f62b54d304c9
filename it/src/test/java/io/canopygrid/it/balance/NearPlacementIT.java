package io.canopygrid.it.balance;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Balancing;
import io.canopygrid.CanopyStats.TransactionStats;
import io.canopygrid.ClusterConfig;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.Placement;
import io.canopygrid.StructureChange;
import io.canopygrid.StructureChange.Reason;
import io.canopygrid.btree.check.IndexCheck;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.ycsb.cluster.FreePorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With {@link Placement#NEAR} data goes to the node whose callers use it. */
final class NearPlacementIT {
  private static final int NODES = 3;
  private static final int KEYS = 6_000;
  private static final int OPERATIONS = 2_000;

  /** Few, so that data is not yet drawn near while a slow machine is at them. */
  private static final int OPERATIONS_BEFORE = 200;

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final List<EmbeddedCanopy> nodes = new ArrayList<>();
  private final Random random = new Random(1);
  private long increments;

  @BeforeEach
  void start() throws Exception {
    List<Integer> ports = FreePorts.pick(NODES);
    List<String> members = ports.stream().map(port -> "127.0.0.1:" + port).toList();
    ClusterConfig config =
        ClusterConfig.of("near-" + ports.get(0))
            .shards(64)
            .members(members)
            .joinTimeout(Duration.ofMinutes(2))
            .balancing(Balancing.DEFAULTS.placement(Placement.NEAR));
    for (int port : ports) {
      nodes.add(EmbeddedCanopy.join(config.port(port)));
    }
    Index<Long, Long> index = index(nodes.get(0));
    for (int from = 0; from < KEYS; from += 500) {
      int first = from;
      nodes
          .get(0)
          .run(tx -> {
            for (long key = first; key < first + 500; key++) {
              tx.on(index).put(key, 0L);
            }
          });
    }
  }

  @AfterEach
  void stop() {
    for (int i = nodes.size() - 1; i >= 0; i--) {
      nodes.get(i).close();
    }
  }

  private static Index<Long, Long> index(EmbeddedCanopy db) {
    return db.index("near", Codec.int64(), Codec.int64());
  }

  @Test
  void dataFollowsItsCallersFromNodeToNode() throws Exception {
    for (int user : new int[] {2, 0}) {
      EmbeddedCanopy db = nodes.get(user);
      long began = System.nanoTime();
      List<String> seen = new ArrayList<>();
      double requests = requestsPerTransaction(db, OPERATIONS_BEFORE);
      assertThat(requests).as("before: node %s", user).isGreaterThan(0.25);
      while (requests > 0.1) {
        seen.add("%.2f".formatted(requests));
        assertThat(System.nanoTime() - began)
            .as("node %s, requests for each transaction: %s", user, seen)
            .isLessThan(PATIENCE.toNanos());
        requests = requestsPerTransaction(db, OPERATIONS);
      }
      System.out.printf(
          "node %d: requests for each transaction %s, %.2f after %d ms%n",
          user, seen, requests, (System.nanoTime() - began) / 1_000_000);
    }
    List<StructureChange> changes = nodes.get(1).structure("near").changes();
    assertThat(changes).anyMatch(change -> change.reason() == Reason.NEAR);
    Index<Long, Long> index = index(nodes.get(1));
    IndexCheck.Report report = nodes.get(1).check(index, Duration.ofSeconds(30));
    assertThat(report.entries()).isEqualTo(KEYS);
    long counted =
        nodes.get(1).read(tx -> tx.on(index).scan().values().mapToLong(Long::longValue).sum());
    assertThat(counted).as("increments while subtrees moved").isEqualTo(increments);
    for (EmbeddedCanopy node : nodes) {
      assertThat(node.stats().total().aborts()).as("aborts that callers were told of").isEmpty();
    }
  }

  /** The requests of some look-ups and one increment in five, each a transaction of its own. */
  private double requestsPerTransaction(EmbeddedCanopy db, int operations) {
    Index<Long, Long> index = index(db);
    TransactionStats before = db.stats().total();
    for (int i = 0; i < operations; i++) {
      long key = random.nextInt(KEYS);
      if (i % 5 == 0) {
        db.run(tx -> tx.on(index).put(key, requireNonNull(tx.on(index).get(key)) + 1));
        increments++;
      } else {
        boolean there = db.<Boolean, RuntimeException>read(tx -> tx.on(index).get(key) != null);
        assertThat(there).as("key %s", key).isTrue();
      }
    }
    TransactionStats after = db.stats().total();
    return (double) (after.remoteRequests() - before.remoteRequests())
        / (after.commits() - before.commits());
  }
}
