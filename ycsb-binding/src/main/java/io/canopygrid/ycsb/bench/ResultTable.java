package io.canopygrid.ycsb.bench;

import io.canopygrid.server.terminal.TextTable;
import io.canopygrid.ycsb.bench.BenchResult.Kind;
import io.canopygrid.ycsb.bench.BenchResult.Percentiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Prints results as a table: one row each, with latencies in µs as p50/p95/p99/p99.9. */
public final class ResultTable {
  private ResultTable() {}

  /** The table's lines. */
  public static List<String> lines(List<BenchResult> results) {
    List<String> headings = new ArrayList<>(List.of("workload", "ops/s", "cpu µs/op"));
    for (Kind kind : Kind.values()) {
      headings.add(kind.fieldName() + " µs");
    }
    headings.addAll(List.of("errors", "retries", "remote/tx", "redirects"));
    TextTable table = new TextTable(headings);
    for (BenchResult result : results) {
      table.add(row(result));
    }
    return table.lines();
  }

  private static List<String> row(BenchResult result) {
    Map<String, String> fields = result.fields();
    List<String> row = new ArrayList<>();
    row.add(result.workload() + "/" + result.threads());
    row.add(value(fields, "ops_s"));
    row.add(value(fields, "cpu_us"));
    for (Kind kind : Kind.values()) {
      Percentiles p = result.latencies().get(kind);
      row.add(p == null ? "" : p.p50() + "/" + p.p95() + "/" + p.p99() + "/" + p.p999());
    }
    row.add(value(fields, "errors"));
    row.add(value(fields, "retries"));
    row.add(value(fields, "remote_requests_per_tx"));
    row.add(value(fields, "redirects"));
    return row;
  }

  private static String value(Map<String, String> fields, String name) {
    return fields.getOrDefault(name, "");
  }
}
