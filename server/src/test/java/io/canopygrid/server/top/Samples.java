package io.canopygrid.server.top;

import io.canopygrid.server.state.DataVerdict;
import io.canopygrid.server.state.WorkVerdict;
import io.canopygrid.server.top.TopSample.Counts;
import io.canopygrid.server.top.TopSample.IndexUse;
import io.canopygrid.server.top.TopSample.Use;
import io.canopygrid.stats.Latency;
import io.canopygrid.wire.client.Reply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Looks at a cluster of three nodes with four shards, of which there are two copies each. */
final class Samples {
  private Samples() {}

  /**
   * A look.
   *
   * @param commits of each node since it started; less than 0: the node has not told
   */
  static TopSample of(long seconds, List<IndexUse> indexes, long... commits) {
    List<Reply.NodeStatus> nodes =
        IntStream.range(0, commits.length).mapToObj(Samples::node).toList();
    Map<String, Counts> counts = new HashMap<>();
    for (int i = 0; i < commits.length; i++) {
      if (commits[i] >= 0) {
        counts.put("id" + i, counts(commits[i]));
      }
    }
    Reply.Status status = new Reply.Status("id0", 1, 4, 2, true, 0, nodes, List.of());
    return new TopSample(
        TimeUnit.SECONDS.toNanos(seconds),
        status,
        DataVerdict.of(status, Optional.empty()),
        WorkVerdict.NONE,
        counts,
        indexes);
  }

  /** The same look at a grid in which something takes long. */
  static TopSample working(TopSample sample, WorkVerdict work) {
    return new TopSample(
        sample.nanos(), sample.status(), sample.data(), work, sample.counts(), sample.indexes());
  }

  static IndexUse index(String name, double reads, double writes) {
    return new IndexUse(name, 2, 1_000, Map.of("id0", new Use(reads, writes)));
  }

  private static Reply.NodeStatus node(int number) {
    return new Reply.NodeStatus(
        "id" + number,
        "vm" + number,
        "1.0",
        "vm" + number + ":11444",
        "vm" + number + ":7800",
        true,
        true,
        60_000,
        64L << 20,
        512L << 20,
        number == 0 ? 2 : 1,
        number == 2 ? 2 : 3);
  }

  private static Counts counts(long commits) {
    return new Counts(
        commits, commits / 10, new Latency(commits, 1_500_000, 2_000_000, 12_340_000, 20_000_000));
  }
}
