package io.canopygrid.history;

import java.util.List;

/**
 * The first line of a history.
 *
 * @param workload what the transactions did
 * @param seed of the driver's choices
 * @param nodes names of the cluster's nodes
 * @param owners copies of each shard
 * @param version of the program under test
 * @param fault what was done to the cluster, {@code none} for nothing
 * @param started when, ISO-8601
 */
public record HistoryHeader(
    Workload workload,
    long seed,
    List<String> nodes,
    int owners,
    String version,
    String fault,
    String started) {
  public HistoryHeader {
    nodes = List.copyOf(nodes);
  }
}
