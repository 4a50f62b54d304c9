package io.canopygrid.btree.benchmark;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A point read as a caller has it: on a node that is alone, in a transaction with its begin and its
 * end, of an index of strings; against a map of the JDK with the same keys and values.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgs = {"-Xms3g", "-Xmx3g"})
@Warmup(iterations = 15, time = 1) // the node's code is compiled anew until then
@Measurement(iterations = 5, time = 1)
public class PointReadBenchmark {
  private static final int ENTRIES_PER_COMMIT = 500;
  private static final int VALUE_BYTES = 100;

  /** {@code node}, its {@code begin} and commit without a read, or the {@code skiplist}. */
  @Param({"node", "begin", "skiplist"})
  public String subject = "";

  @Param({"20000", "1000000"})
  public int entries;

  private String[] probes = {};
  private int at;
  private Reader reader = key -> null;
  private @Nullable Canopy node;

  /** One read of one key. */
  private interface Reader {
    @Nullable Object read(String key);
  }

  /** Fills the subject in random order; the probes are other strings than those stored. */
  @Setup
  public void fill() {
    String[] keys = keys();
    reader = subject.equals("skiplist") ? skipList(keys) : node(keys);
    probes = new String[keys.length];
    for (int i = 0; i < keys.length; i++) {
      probes[(int) (i * 7_919L % keys.length)] = new String(keys[i].toCharArray());
    }
    System.gc();
  }

  private String[] keys() {
    SplittableRandom random = new SplittableRandom(1);
    String[] keys = new String[entries];
    for (int i = 0; i < entries; i++) {
      keys[i] = "user" + (random.nextLong() >>> 1);
    }
    return keys;
  }

  private static Reader skipList(String[] keys) {
    ConcurrentSkipListMap<String, byte[]> map = new ConcurrentSkipListMap<>();
    for (String key : keys) {
      map.put(key, new byte[VALUE_BYTES]);
    }
    return map::get;
  }

  private Reader node(String[] keys) {
    Canopy db = EmbeddedCanopy.start();
    node = db;
    Index<String, byte[]> index = db.index("users", Codec.string(), Codec.bytes());
    for (int from = 0; from < keys.length; from += ENTRIES_PER_COMMIT) {
      int first = from;
      int end = Math.min(first + ENTRIES_PER_COMMIT, keys.length);
      db.run(tx -> {
        for (int i = first; i < end; i++) {
          tx.on(index).put(keys[i], new byte[VALUE_BYTES]);
        }
      });
    }
    if (subject.equals("begin")) {
      return key -> db.<String, RuntimeException>read(tx -> key);
    }
    return key -> db.<Object, RuntimeException>read(tx -> present(tx.on(index).get(key)));
  }

  private static Object present(byte @Nullable [] value) {
    if (value == null) {
      throw new IllegalStateException("every key is there");
    }
    return value;
  }

  @Benchmark
  public @Nullable Object pointRead() {
    at = at + 1 < probes.length ? at + 1 : 0;
    return reader.read(probes[at]);
  }

  /** Stops the node's threads. */
  @TearDown
  public void close() {
    if (node != null) {
      node.close();
    }
  }
}
