package io.canopygrid.btree.benchmark;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** 1,000,000 inserts in random order into an empty map; the time is that of one of them. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgs = {"-Xms3g", "-Xmx3g"})
@Warmup(iterations = 3)
@Measurement(iterations = 5)
public class InsertBenchmark {
  private static final int ENTRIES = 1_000_000;

  @Param({"tree:128", "tree:128:16", "tree:128:1", "skiplist"})
  public String subject = "";

  @Param public KeyShape keys = KeyShape.RANDOM_32;

  private byte[][] stored = {};
  private Long[] values = {};

  @Setup
  public void makeEntries() {
    stored = keys.keys(ENTRIES, 1);
    values = new Long[ENTRIES];
    for (int i = 0; i < ENTRIES; i++) {
      values[i] = (long) i;
    }
  }

  @Setup(Level.Iteration)
  public void collectGarbage() {
    System.gc();
  }

  @Benchmark
  @OperationsPerInvocation(ENTRIES)
  public Object insert() {
    MeasuredMap map = MeasuredMap.named(subject);
    for (int i = 0; i < ENTRIES; i++) {
      map.put(stored[i], values[i]);
    }
    return map;
  }
}
