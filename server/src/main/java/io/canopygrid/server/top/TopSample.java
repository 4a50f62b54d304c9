package io.canopygrid.server.top;

import io.canopygrid.server.state.DataVerdict;
import io.canopygrid.server.state.WorkVerdict;
import io.canopygrid.stats.Latency;
import io.canopygrid.wire.client.Reply;
import java.util.List;
import java.util.Map;

/**
 * One look at a cluster.
 *
 * @param nanos when it was, by a monotonic clock
 * @param counts transactions of clients since a node started, by node; a node that has not told is
 *     not there
 * @param indexes those that the user may read
 */
record TopSample(
    long nanos,
    Reply.Status status,
    DataVerdict data,
    WorkVerdict work,
    Map<String, Counts> counts,
    List<IndexUse> indexes) {
  /** Copies the map and the list. */
  TopSample {
    counts = Map.copyOf(counts);
    indexes = List.copyOf(indexes);
  }

  /**
   * Transactions of clients that began at a node since it started.
   *
   * @param latency of those that committed, and of Canopy's own
   */
  record Counts(long commits, long aborts, Latency latency) {}

  /** Reads and writes per second of late. */
  record Use(double reads, double writes) {
    static final Use NONE = new Use(0, 0);

    Use plus(Use other) {
      return new Use(reads + other.reads, writes + other.writes);
    }
  }

  /** The use of an index, by node; a part that no node serves now is by the empty name. */
  record IndexUse(String index, int subtrees, long entries, Map<String, Use> byNode) {
    /** Copies the map. */
    IndexUse {
      byNode = Map.copyOf(byNode);
    }

    Use total() {
      return byNode.values().stream().reduce(Use.NONE, Use::plus);
    }
  }

  /** The use of all indexes at a node. */
  Use use(String node) {
    return indexes.stream()
        .map(index -> index.byNode().getOrDefault(node, Use.NONE))
        .reduce(Use.NONE, Use::plus);
  }
}
