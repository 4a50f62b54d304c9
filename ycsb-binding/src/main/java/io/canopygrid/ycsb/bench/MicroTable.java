package io.canopygrid.ycsb.bench;

import io.canopygrid.server.terminal.TextTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * Prints JMH's results as a table: one row each, with the ratio to the reference of its benchmark.
 */
final class MicroTable {
  /** The parameter that names the subject of a measurement, and its value for the reference. */
  private static final String SUBJECT = "subject";

  private static final String REFERENCE = "skiplist";

  private MicroTable() {}

  /** The table's lines. */
  static List<String> lines(Collection<RunResult> results) {
    Map<String, Double> references = new HashMap<>();
    for (RunResult result : results) {
      if (REFERENCE.equals(result.getParams().getParam(SUBJECT))) {
        references.put(nameWithout(result.getParams(), true), score(result));
      }
    }
    TextTable table = new TextTable(List.of("benchmark", "score", "error", "unit", "times"));
    for (RunResult result : results) {
      Result<?> primary = result.getPrimaryResult();
      Double reference = references.get(nameWithout(result.getParams(), true));
      table.add(
          List.of(
              nameWithout(result.getParams(), false),
              number(primary.getScore()),
              number(primary.getScoreError()),
              primary.getScoreUnit(),
              reference == null ? "" : number(reference / score(result))));
    }
    return table.lines();
  }

  /**
   * The benchmark and its parameters, without the subject where the peers of a result are looked
   * for.
   */
  private static String nameWithout(BenchmarkParams params, boolean subject) {
    String[] parts = params.getBenchmark().split("\\.", -1);
    List<String> words = new ArrayList<>();
    words.add(parts[parts.length - 2] + "." + parts[parts.length - 1]);
    for (String key : params.getParamsKeys()) {
      if (!subject || !key.equals(SUBJECT)) {
        words.add(key + "=" + params.getParam(key));
      }
    }
    return String.join(" ", words);
  }

  /** The time per operation; benchmarks with a reference measure times. */
  private static double score(RunResult result) {
    return result.getPrimaryResult().getScore();
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value);
  }
}
