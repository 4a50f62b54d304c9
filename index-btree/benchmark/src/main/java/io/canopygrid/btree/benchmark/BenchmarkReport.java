package io.canopygrid.btree.benchmark;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs all benchmarks of the package in rounds and prints the tables of {@code
 * docs/internals/performance.md}.
 *
 * <p>Each round runs each benchmark in a JVM of its own, the tree and the skip list right after one
 * another. A ratio is made within a round, so that what else the machine does in the meantime
 * weighs on both sides of it; medians are over the rounds.
 */
public final class BenchmarkReport {
  private static final int ROUNDS = 5;
  private static final String REFERENCE = "skiplist";

  /** The scores of the rounds, in ns per operation, by what was measured and by subject. */
  private final Map<String, Map<String, List<Double>>> scores = new TreeMap<>();

  private final PrintStream out;

  private BenchmarkReport(PrintStream out) {
    this.out = out;
  }

  /**
   * Measures and prints.
   *
   * @param args how many rounds, {@value #ROUNDS} if there is none
   */
  public static void main(String[] args) throws RunnerException {
    int rounds = args.length == 0 ? ROUNDS : Integer.parseInt(args[0]);
    BenchmarkReport report = new BenchmarkReport(System.out);
    for (int round = 1; round <= rounds; round++) {
      System.err.println("round " + round + " of " + rounds);
      report.add(round());
    }
    report.printTimes();
    report.printMemory();
  }

  private static Collection<RunResult> round() throws RunnerException {
    Options options =
        new OptionsBuilder()
            .include(ReadBenchmark.class.getName())
            .include(InsertBenchmark.class.getName())
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true)
            .build();
    return new Runner(options).run();
  }

  private void add(Collection<RunResult> results) {
    for (RunResult result : results) {
      String name = result.getParams().getBenchmark();
      String what = name.substring(name.lastIndexOf('.') + 1);
      String keys = result.getParams().getParam("keys");
      scores
          .computeIfAbsent(what + " | " + keys, w -> new TreeMap<>())
          .computeIfAbsent(result.getParams().getParam("subject"), s -> new ArrayList<>())
          .add(result.getPrimaryResult().getScore());
    }
  }

  private void printTimes() {
    out.println("| what | keys | subject | ns per operation | times as fast as the skip list |");
    out.println("|---|---|---|---|---|");
    scores.forEach((what, bySubject) -> {
      double[] reference = rounds(bySubject, REFERENCE);
      for (String subject : bySubject.keySet()) {
        double[] times = rounds(bySubject, subject);
        double[] ratios = new double[times.length];
        Arrays.setAll(ratios, i -> reference[i] / times[i]);
        String ratio = subject.equals(REFERENCE) ? "1" : spread(ratios, "%.2f");
        String[] cells = {what, subject, spread(times, "%.0f"), ratio};
        out.println("| " + String.join(" | ", cells) + " |");
      }
    });
  }

  private static double[] rounds(Map<String, List<Double>> bySubject, String subject) {
    return bySubject.getOrDefault(subject, List.of()).stream().mapToDouble(d -> d).toArray();
  }

  /** The median, and the least and the greatest. */
  private static String spread(double[] numbers, String format) {
    double[] sorted = numbers.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    String all = "**" + format + "** (" + format + " to " + format + ")";
    return String.format(Locale.ROOT, all, median, sorted[0], sorted[n - 1]);
  }

  private void printMemory() {
    out.println();
    out.println("| keys | subject | bytes per entry beside key and value |");
    out.println("|---|---|---|");
    for (KeyShape keys : KeyShape.values()) {
      for (String subject : List.of("tree:16", "tree:64", "tree:128", "tree:256", REFERENCE)) {
        double bytes = EntryMemory.bytesPerEntry(subject, keys);
        out.printf(Locale.ROOT, "| %s | %s | %.1f |%n", keys, subject, bytes);
      }
    }
  }
}
