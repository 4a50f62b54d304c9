package io.canopygrid.btree.benchmark;

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
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** Look-ups and scans among 1,000,000 entries, each key in turn in random order. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgs = {"-Xms3g", "-Xmx3g"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ReadBenchmark {
  private static final int SCAN = 100;

  @Param({"tree:128", "skiplist"})
  public String subject = "";

  @Param public KeyShape keys = KeyShape.RANDOM_32;

  @Param("1000000")
  public int entries;

  private MeasuredMap map = new MeasuredMap.SkipList();
  private byte[][] probes = {};
  private int at;

  /** Fills the subject in random order; the probes are other arrays than the stored keys. */
  @Setup
  public void fill() {
    map = MeasuredMap.named(subject);
    byte[][] stored = keys.keys(entries, 1);
    for (int i = 0; i < entries; i++) {
      map.put(stored[i], (long) i);
    }
    map.settle();
    probes = KeyShape.shuffledCopies(stored, 2);
    System.gc();
  }

  private byte[] probe() {
    at = at + 1 < probes.length ? at + 1 : 0;
    return probes[at];
  }

  @Benchmark
  public @Nullable Long lookup() {
    return map.get(probe());
  }

  @Benchmark
  public long scanAndRead() {
    return map.read(probe(), SCAN);
  }

  @Benchmark
  public void scan(Blackhole blackhole) {
    map.scan(probe(), SCAN, blackhole);
  }
}
