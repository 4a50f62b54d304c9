package io.canopygrid.ycsb.bench;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.ycsb.cluster.Heap;
import io.canopygrid.ycsb.cluster.LocalCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code canopy bench pipeline}: measures one connection with many requests under way. */
@Command(
    name = "pipeline",
    description = {
      "Measure how many look-ups one connection of one client carries with 1 and with many of them"
          + " under way, in turns, and print the median of the ratios.",
      "It starts a server process of its own."
    })
final class PipelineCommand implements Callable<Integer> {
  private static final long KEYS = 10_000;
  private static final int KEYS_EACH = 500;

  @Option(
      names = "--in-flight",
      defaultValue = "64",
      paramLabel = "N",
      description = "Requests under way at once (${DEFAULT-VALUE}).")
  private int inFlight;

  @Option(
      names = "--rounds",
      defaultValue = "5",
      paramLabel = "N",
      description = "Turns of both (${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--seconds",
      defaultValue = "3",
      paramLabel = "S",
      description = "Length of each measurement (${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--heap",
      defaultValue = "512m",
      paramLabel = "SIZE",
      description = "Heap of the server (${DEFAULT-VALUE}).")
  private String heap = "";

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Look-ups per second, one at a time and many at once. */
  private record Round(double alone, double together) {
    double ratio() {
      return together / alone;
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    PrintWriter out = spec.commandLine().getOut();
    try (LocalCluster cluster = LocalCluster.startServers(1, heap, Narrator.onStandardError())) {
      Canopy db = cluster.canopy();
      Index<Long, Long> index = db.index("pipeline", Codec.int64(), Codec.int64());
      load(db, index);
      round(db, index); // a warm-up
      List<Round> measured = new ArrayList<>();
      for (int i = 1; i <= rounds; i++) {
        Round round = round(db, index);
        measured.add(round);
        print(out, "round " + i, round.alone(), round.together(), round.ratio());
      }
      print(
          out,
          "median",
          median(measured.stream().map(Round::alone).toList()),
          median(measured.stream().map(Round::together).toList()),
          median(measured.stream().map(Round::ratio).toList()));
      return 0;
    }
  }

  private void check() {
    if (inFlight < 2 || inFlight > 256 || rounds < 1 || rounds > 1_000) {
      throw new ParameterException(
          spec.commandLine(), "--in-flight is from 2 to 256, --rounds from 1 to 1000");
    }
    if (!(seconds > 0 && seconds <= BenchSettings.SECONDS_MAX)) {
      throw new ParameterException(spec.commandLine(), "--seconds is above 0");
    }
    try {
      Heap.require(heap);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private void print(PrintWriter out, String what, double alone, double together, double ratio) {
    out.printf(
        Locale.ROOT,
        "%s: 1 under way %.0f/s, %d under way %.0f/s, ratio %.1f, load %.1f%n",
        what,
        alone,
        inFlight,
        together,
        ratio,
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    out.flush();
  }

  private static void load(Canopy db, Index<Long, Long> index) {
    for (long from = 0; from < KEYS; from += KEYS_EACH) {
      long first = from;
      db.run(tx -> {
        for (long key = first; key < first + KEYS_EACH; key++) {
          tx.on(index).put(key, key);
        }
      });
    }
  }

  private Round round(Canopy db, Index<Long, Long> index) {
    return new Round(measure(db, index, 1), measure(db, index, inFlight));
  }

  /** Look-ups per second of so many threads, each of which waits for its answer. */
  private double measure(Canopy db, Index<Long, Long> index, int threads) {
    LongAdder done = new LongAdder();
    long beganNanos = System.nanoTime();
    long endNanos = beganNanos + (long) (seconds * 1e9);
    List<CompletableFuture<Void>> running = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      SplittableRandom random = new SplittableRandom(t);
      running.add(
          CompletableFuture.runAsync(
              () -> lookUp(db, index, random, endNanos, done),
              task -> new Thread(task, "look-ups").start()));
    }
    CompletableFuture.allOf(running.toArray(new CompletableFuture<?>[0])).join();
    return done.sum() / ((System.nanoTime() - beganNanos) / 1e9);
  }

  private static void lookUp(
      Canopy db, Index<Long, Long> index, SplittableRandom random, long endNanos, LongAdder done) {
    while (endNanos - System.nanoTime() > 0) {
      long key = random.nextLong(KEYS);
      boolean found =
          db.<Boolean, RuntimeException>read(tx -> {
            Long value = tx.on(index).get(key);
            return value != null && value == key;
          });
      if (!found) {
        throw new IllegalStateException("key " + key + " has not its value");
      }
      done.increment();
    }
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }
}
