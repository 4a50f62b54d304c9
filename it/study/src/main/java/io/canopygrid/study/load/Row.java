package io.canopygrid.study.load;

import com.fasterxml.jackson.core.JsonGenerator;
import io.canopygrid.study.tree.Variant;
import java.io.IOException;

/**
 * One measurement.
 *
 * @param nodes of the grid
 * @param operations committed transactions, each one operation
 * @param seconds that they took
 * @param remoteRequests of all nodes: reads, prepares and decisions at other nodes' primaries, and
 *     operations and functions that moved
 * @param messages of all nodes, of every kind
 * @param replication prepares and decisions to backups, of all nodes
 * @param aborts attempts that failed
 * @param p50Micros median of an operation
 * @param p99Micros 99th percentile
 * @param subtrees that a scan touches, on average; 0: there are no scans, or no subtrees
 */
public record Row(
    Variant variant,
    StudyWorkload workload,
    int nodes,
    long operations,
    double seconds,
    long remoteRequests,
    long messages,
    long replication,
    long aborts,
    double p50Micros,
    double p99Micros,
    double subtrees) {

  /** Per transaction. */
  public double remoteRequestsPerTx() {
    return (double) remoteRequests / operations;
  }

  /** Per transaction. */
  public double messagesPerCommit() {
    return (double) messages / operations;
  }

  /** The rate of all clients. */
  public double operationsPerSecond() {
    return operations / seconds;
  }

  /** The same with the number of subtrees that a scan touches. */
  public Row withSubtrees(double mean) {
    return new Row(
        variant,
        workload,
        nodes,
        operations,
        seconds,
        remoteRequests,
        messages,
        replication,
        aborts,
        p50Micros,
        p99Micros,
        mean);
  }

  /** The two measurements as one: latencies as their means, by operations. */
  public Row plus(Row other) {
    double share = (double) operations / (operations + other.operations);
    return new Row(
        variant,
        workload,
        nodes,
        operations + other.operations,
        seconds + other.seconds,
        remoteRequests + other.remoteRequests,
        messages + other.messages,
        replication + other.replication,
        aborts + other.aborts,
        p50Micros * share + other.p50Micros * (1 - share),
        p99Micros * share + other.p99Micros * (1 - share),
        subtrees);
  }

  /** As an object. */
  public void write(JsonGenerator json) throws IOException {
    json.writeStartObject();
    writeFields(json);
    json.writeEndObject();
  }

  /** The fields of an object. */
  public void writeFields(JsonGenerator json) throws IOException {
    json.writeStringField("variant", variant.label());
    json.writeStringField("workload", workload.label());
    json.writeNumberField("nodes", nodes);
    json.writeNumberField("remote_requests_per_tx", rounded(remoteRequestsPerTx()));
    json.writeNumberField("messages_per_commit", rounded(messagesPerCommit()));
    json.writeNumberField("replication_per_tx", rounded((double) replication / operations));
    json.writeNumberField("aborts", aborts);
    json.writeNumberField("operations", operations);
    json.writeNumberField("ops_s", rounded(operationsPerSecond()));
    json.writeNumberField("p50_us", rounded(p50Micros));
    json.writeNumberField("p99_us", rounded(p99Micros));
    if (subtrees > 0) {
      json.writeNumberField("subtrees_per_scan", rounded(subtrees));
    }
  }

  /** The value to three digits. */
  public static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
