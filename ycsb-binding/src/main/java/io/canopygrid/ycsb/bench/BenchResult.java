package io.canopygrid.ycsb.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The result of one measurement. Immutable.
 *
 * @param workload one of a to f
 * @param threads client threads
 * @param records the number of records loaded before
 * @param operations the number of operations, whatever their result
 * @param seconds how long all operations took
 * @param cpuSeconds CPU time of the processes of all nodes in that time
 * @param latencies the latencies of successful operations, by kind; a kind without any is left out
 * @param errors operations that did not end OK
 * @param retries transactions that ran again after an abort; the latency includes their time
 * @param systemLoad load average of the machine at the end, negative if unknown
 * @param traffic the requests and aborts of the transactions
 */
public record BenchResult(
    String workload,
    int threads,
    long records,
    long operations,
    double seconds,
    double cpuSeconds,
    Map<Kind, Percentiles> latencies,
    long errors,
    long retries,
    double systemLoad,
    Traffic traffic) {
  /** The kinds of operation. */
  public enum Kind {
    READ("READ", "read"),
    UPDATE("UPDATE", "update"),
    INSERT("INSERT", "insert"),
    SCAN("SCAN", "scan"),
    READ_MODIFY_WRITE("READ-MODIFY-WRITE", "rmw");

    private final String ycsbName;
    private final String fieldName;

    Kind(String ycsbName, String fieldName) {
      this.ycsbName = ycsbName;
      this.fieldName = fieldName;
    }

    String ycsbName() {
      return ycsbName;
    }

    String fieldName() {
      return fieldName;
    }
  }

  /** Percentiles of a latency, in µs. */
  public record Percentiles(long p50, long p95, long p99, long p999) {}

  /**
   * The requests to other nodes, and the aborts, of transactions.
   *
   * @param remoteRequestsPerTransaction requests for each committed transaction, aborted attempts
   *     included
   * @param aborts attempts that ended without a commit
   * @param redirects answers "the key is elsewhere"
   */
  public record Traffic(double remoteRequestsPerTransaction, long aborts, long redirects) {}

  public BenchResult {
    latencies = Map.copyOf(latencies);
  }

  /** Operations per second. */
  public double throughput() {
    return operations / seconds;
  }

  /** CPU time of all nodes for each operation, in µs. */
  public double cpuMicros() {
    return operations == 0 ? 0 : cpuSeconds * 1e6 / operations;
  }

  /** Every field by its name, in order; {@code -} is the latency of a kind without operations. */
  Map<String, String> fields() {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("peer", "canopy");
    fields.put("workload", workload);
    fields.put("threads", Integer.toString(threads));
    fields.put("records", Long.toString(records));
    fields.put("operations", Long.toString(operations));
    fields.put("seconds", decimals(2, seconds));
    fields.put("ops_s", decimals(1, throughput()));
    fields.put("cpu_us", decimals(1, cpuMicros()));
    for (Kind kind : Kind.values()) {
      Percentiles p = latencies.get(kind);
      fields.put(kind.fieldName() + "_p50", p == null ? "-" : Long.toString(p.p50()));
      fields.put(kind.fieldName() + "_p95", p == null ? "-" : Long.toString(p.p95()));
      fields.put(kind.fieldName() + "_p99", p == null ? "-" : Long.toString(p.p99()));
      fields.put(kind.fieldName() + "_p999", p == null ? "-" : Long.toString(p.p999()));
    }
    fields.put("errors", Long.toString(errors));
    fields.put("retries", Long.toString(retries));
    fields.put("load", decimals(2, systemLoad));
    fields.put("remote_requests_per_tx", decimals(3, traffic.remoteRequestsPerTransaction()));
    fields.put("aborts", Long.toString(traffic.aborts()));
    fields.put("redirects", Long.toString(traffic.redirects()));
    return fields;
  }

  /** {@code peer=canopy workload=a threads=4 …}. */
  public String line() {
    List<String> words = new ArrayList<>();
    fields().forEach((name, value) -> words.add(name + "=" + value));
    return String.join(" ", words);
  }

  /** One JSON object on one line, with null for {@code -}. */
  public String json() {
    List<String> members = new ArrayList<>();
    fields().forEach((name, value) -> members.add("\"" + name + "\": " + jsonValue(name, value)));
    return "{" + String.join(", ", members) + "}";
  }

  private static String jsonValue(String name, String value) {
    if (value.equals("-")) {
      return "null";
    }
    return name.equals("peer") || name.equals("workload") ? "\"" + value + "\"" : value;
  }

  private static String decimals(int digits, double value) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
