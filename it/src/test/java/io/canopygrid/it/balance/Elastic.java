package io.canopygrid.it.balance;

import io.canopygrid.Canopy;
import io.canopygrid.ClusterConfig;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Subtree;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.it.cluster.Cluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Nodes in this JVM that form a cluster through Infinispan, and clients that read and write keys by
 * some distribution. What the nodes get of it is counted by the clients, not by what is tested.
 */
final class Elastic implements AutoCloseable {
  static final int KEYS = 12_000;

  private static final int CLIENTS = 3;
  private static final int MEMBERS_MAX = 4;

  private final List<EmbeddedCanopy> nodes = new ArrayList<>();
  private final List<Integer> ports;
  private int joined;
  private final List<Thread> clients = new ArrayList<>();
  private final AtomicLongArray used = new AtomicLongArray(KEYS);
  private final AtomicLong operations = new AtomicLong();
  private volatile @Nullable ToLongFunction<Random> keys;
  private volatile @Nullable Throwable failure;

  Elastic(int size) throws IOException {
    ports = Cluster.freePorts(MEMBERS_MAX);
    try {
      for (int i = 0; i < size; i++) {
        join();
      }
      fill();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private void fill() {
    Index<Long, String> index = index(nodes.get(0));
    for (int from = 0; from < KEYS; from += 500) {
      int first = from;
      nodes
          .get(0)
          .run(tx -> {
            for (long key = first; key < first + 500; key++) {
              tx.on(index).put(key, "value of " + key);
            }
          });
    }
  }

  void join() {
    List<String> members = ports.stream().map(port -> "127.0.0.1:" + port).toList();
    ClusterConfig config =
        ClusterConfig.of("elastic-" + ports.get(0))
            .shards(64)
            .members(members)
            .joinTimeout(Duration.ofMinutes(2));
    nodes.add(EmbeddedCanopy.join(config.port(ports.get(joined++))));
  }

  /** The node that joined last leaves. */
  void leave() {
    nodes.remove(nodes.size() - 1).close();
  }

  /** The oldest node leaves, which decides: no client is there. */
  void leaveOldest() {
    nodes.remove(0).close();
  }

  /** A node that stays. */
  EmbeddedCanopy node() {
    return nodes.get(nodes.size() - 1);
  }

  static Index<Long, String> index(Canopy db) {
    return db.index("elastic", Codec.int64(), Codec.string());
  }

  /** Clients at the nodes there are now use keys like this, until {@link #close}. */
  void use(ToLongFunction<Random> distribution) {
    keys = distribution;
    for (int i = clients.size(); i < CLIENTS; i++) {
      EmbeddedCanopy at = nodes.get(1 + i % (nodes.size() - 1));
      int number = i;
      Thread client = new Thread(() -> work(at, number), "elastic-client-" + i);
      clients.add(client);
      client.start();
    }
  }

  /** Each client writes keys of its own, so that none is in another one's way. */
  private void work(EmbeddedCanopy db, int number) {
    Index<Long, String> index = index(db);
    Random random = new Random(number);
    try {
      for (ToLongFunction<Random> now = keys; now != null; now = keys) {
        long key = now.applyAsLong(random);
        if (random.nextInt(5) == 0) {
          long own = key - key % CLIENTS + number;
          db.run(tx -> tx.on(index).put(own, "written " + random.nextInt()));
        } else if (!db.read(tx -> tx.on(index).get(key) != null)) {
          throw new AssertionError("key " + key + " is lost");
        }
        used.incrementAndGet((int) key);
        operations.incrementAndGet();
      }
    } catch (Throwable e) {
      failure = e;
    }
  }

  /** The clients' work of some time: the most used node's part as a multiple of the mean. */
  double unevenness(Duration watched) throws InterruptedException {
    long[] before = counts();
    Thread.sleep(watched.toMillis());
    long[] after = counts();
    List<Subtree> subtrees = node().structure("elastic").subtrees();
    Map<String, Long> byNode = new HashMap<>();
    int at = 0;
    long total = 0;
    for (int key = 0; key < KEYS; key++) {
      byte[] bytes = Codec.int64().encode((long) key);
      while (at + 1 < subtrees.size()
          && Arrays.compareUnsigned(subtrees.get(at + 1).from(), bytes) <= 0) {
        at++;
      }
      byNode.merge(subtrees.get(at).node(), after[key] - before[key], Long::sum);
      total += after[key] - before[key];
    }
    long most = byNode.values().stream().mapToLong(Long::longValue).max().orElse(0);
    return (double) most * nodes.size() / Math.max(1, total);
  }

  private long[] counts() {
    long[] counts = new long[KEYS];
    for (int key = 0; key < KEYS; key++) {
      counts[key] = used.get(key);
    }
    return counts;
  }

  /** Waits until the work is even; how long that took in milliseconds. */
  long awaitEven(double most, Duration patience) throws InterruptedException {
    long began = System.nanoTime();
    double uneven = Double.MAX_VALUE;
    while (System.nanoTime() - began < patience.toNanos()) {
      uneven = unevenness(Duration.ofMillis(700));
      check();
      if (uneven <= most) {
        return (System.nanoTime() - began) / 1_000_000;
      }
    }
    throw new AssertionError(
        "the most used node still has %.2f of the mean after %s: %s"
            .formatted(uneven, patience, node().structure("elastic").changes()));
  }

  long operations() {
    return operations.get();
  }

  void check() {
    Throwable wrong = failure;
    if (wrong != null) {
      throw new AssertionError("a client failed", wrong);
    }
  }

  /** Transactions of all nodes that were aborted, by code, whoever was in the way. */
  Map<ErrorCode, Long> aborts() {
    Map<ErrorCode, Long> all = new HashMap<>();
    nodes.forEach(node ->
        node.stats().total().aborts().forEach((code, count) -> all.merge(code, count, Long::sum)));
    return all;
  }

  void rest() throws InterruptedException {
    keys = null;
    for (Thread client : clients) {
      client.join();
    }
    clients.clear();
    check();
  }

  @Override
  public void close() {
    keys = null;
    for (int i = nodes.size() - 1; i >= 0; i--) {
      nodes.get(i).close();
    }
  }
}
