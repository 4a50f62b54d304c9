package io.canopygrid.it.balance;

import io.canopygrid.Canopy;
import io.canopygrid.ClusterConfig;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Subtree;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.ycsb.cluster.FreePorts;
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
 * some distribution. The clients, and not the tested code, count the load of each node, as load is
 * defined (docs/decisions/0011): a write counts as four reads.
 */
final class Elastic implements AutoCloseable {
  static final int KEYS = 12_000;

  private static final int CLIENTS = 3;
  private static final int MEMBERS_MAX = 4;

  /**
   * Fewer say too little: with so many one node of four has, by chance alone, 3% more or less than
   * its part, as standard deviation.
   */
  private static final int OPERATIONS_LEAST = 5_000;

  private static final long WATCHED_MILLIS = 700;
  private static final Duration WATCHED_MOST = Duration.ofSeconds(30);

  /** The load is even once it was even for so many looks. */
  private static final int EVEN_LOOKS = 3;

  private static final int LOOKS_LEAST = 5;

  private final List<EmbeddedCanopy> nodes = new ArrayList<>();
  private final List<Integer> ports;
  private int joined;
  private final List<Thread> clients = new ArrayList<>();
  private final AtomicLongArray load = new AtomicLongArray(KEYS);
  private final AtomicLong operations = new AtomicLong();
  private volatile @Nullable ToLongFunction<Random> keys;
  private volatile @Nullable Throwable failure;

  Elastic(int size) throws IOException {
    ports = FreePorts.pick(MEMBERS_MAX);
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
          load.addAndGet((int) own, Subtree.WRITE_WEIGHT);
        } else if (db.read(tx -> tx.on(index).get(key) != null)) {
          load.incrementAndGet((int) key);
        } else {
          throw new AssertionError("key " + key + " is lost");
        }
        operations.incrementAndGet();
      }
    } catch (Throwable e) {
      failure = e;
    }
  }

  /** The clients' load of some time: the most used node's part as a multiple of the mean. */
  private double unevenness() throws InterruptedException {
    long began = System.nanoTime();
    long[] before = counts();
    long first = operations();
    do {
      Thread.sleep(WATCHED_MILLIS);
      check();
    } while (operations() - first < OPERATIONS_LEAST
        && System.nanoTime() - began < WATCHED_MOST.toNanos());
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
      counts[key] = load.get(key);
    }
    return counts;
  }

  /**
   * Waits until the load is even and stays so for a while.
   *
   * @param most what the most used node may have, as a multiple of the mean
   * @param patience when it must have begun to be even; on a machine that is so slow that it has
   *     looked only a few times until then, later
   * @return after how many milliseconds that was
   */
  long awaitEven(double most, Duration patience) throws InterruptedException {
    long began = System.nanoTime();
    long first = operations();
    List<String> seen = new ArrayList<>();
    int even = 0;
    long evenMillis = 0;
    while (even < EVEN_LOOKS) {
      double uneven = unevenness();
      long millis = (System.nanoTime() - began) / 1_000_000;
      seen.add("%.2f at %d ms".formatted(uneven, millis));
      even = uneven <= most ? even + 1 : 0;
      evenMillis = even == 1 ? millis : evenMillis;
      if (even == 0 && millis > patience.toMillis() && seen.size() >= LOOKS_LEAST) {
        throw new AssertionError(
            "not even after %s and %d operations: the most used node had, as a multiple of the mean, %s; changes: %s"
                .formatted(
                    patience, operations() - first, seen, node().structure("elastic").changes()));
      }
    }
    return evenMillis;
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

  /** The aborted transactions of all nodes, by code, from any cause. */
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
