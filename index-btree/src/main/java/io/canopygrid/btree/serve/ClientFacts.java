package io.canopygrid.btree.serve;

import io.canopygrid.CanopyStats;
import io.canopygrid.CanopyStats.TransactionStats;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.question.NodeBytes;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.stats.Latency;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The transactions that clients began at a node, by its own account. All counts are since it
 * started, and only grow.
 *
 * @param oldestMillis for how long the oldest transaction has been running that began there,
 *     whoever began it; what it may read is kept on all nodes
 * @param total all transactions
 * @param latency how many committed transactions took at most so many nanoseconds, and more than
 *     the key before
 * @param byLabel the same as the total for each label, the empty one included
 */
public record ClientFacts(
    NodeId node,
    long oldestMillis,
    Counts total,
    SortedMap<Long, Long> latency,
    SortedMap<String, Counts> byLabel) {
  /** No node has as many labels, buckets or codes. */
  private static final int ROWS_MAX = 4_096;

  private static final int BYTES = 4_096;

  /** Copies the maps. */
  public ClientFacts {
    latency = Collections.unmodifiableSortedMap(new TreeMap<>(latency));
    byLabel = Collections.unmodifiableSortedMap(new TreeMap<>(byLabel));
  }

  /**
   * Counts of transactions.
   *
   * @param aborts attempts that ended without a commit, by the number of their code
   * @param p50Nanos half of those that committed took at most this long
   * @param p99Nanos 99 % of those that committed took at most this long
   */
  public record Counts(
      long commits,
      long attempts,
      long remoteRequests,
      SortedMap<Integer, Long> aborts,
      long p50Nanos,
      long p99Nanos) {
    /** Copies the map. */
    public Counts {
      aborts = Collections.unmodifiableSortedMap(new TreeMap<>(aborts));
    }

    private static Counts of(TransactionStats stats) {
      SortedMap<Integer, Long> aborts = new TreeMap<>();
      for (Map.Entry<ErrorCode, Long> abort : stats.aborts().entrySet()) {
        aborts.put(abort.getKey().number(), abort.getValue());
      }
      return new Counts(
          stats.commits(),
          stats.attempts(),
          stats.remoteRequests(),
          aborts,
          stats.latency().p50Nanos(),
          stats.latency().p99Nanos());
    }

    private void encode(ByteWriter out) {
      out.writeVarLong(commits).writeVarLong(attempts).writeVarLong(remoteRequests);
      out.writeVarLong(aborts.size());
      aborts.forEach((code, count) -> out.writeVarLong(code).writeVarLong(count));
      out.writeVarLong(p50Nanos).writeVarLong(p99Nanos);
    }

    private static Counts decode(ByteReader in) {
      long commits = in.readVarLong();
      long attempts = in.readVarLong();
      long remoteRequests = in.readVarLong();
      SortedMap<Integer, Long> aborts = new TreeMap<>();
      for (int left = in.readCount(ROWS_MAX); left > 0; left--) {
        int code = in.readCount(Integer.MAX_VALUE);
        aborts.put(code, in.readVarLong());
      }
      long p50Nanos = in.readVarLong();
      return new Counts(commits, attempts, remoteRequests, aborts, p50Nanos, in.readVarLong());
    }
  }

  /** The node's name in the grid. */
  public String id() {
    return node.toString();
  }

  /** The facts of a node that has no clients. */
  static ClientFacts none(NodeId node, Duration oldest) {
    TransactionStats none = new TransactionStats(0, Map.of(), 0, 0, 0, Latency.NONE);
    return of(node, new CanopyStats(none, Map.of(), Map.of()), new TreeMap<>(), oldest);
  }

  static ClientFacts of(
      NodeId node, CanopyStats stats, SortedMap<Long, Long> latency, Duration oldest) {
    SortedMap<String, Counts> byLabel = new TreeMap<>();
    stats.byLabel().forEach((label, counts) -> byLabel.put(label, Counts.of(counts)));
    return new ClientFacts(node, oldest.toMillis(), Counts.of(stats.total()), latency, byLabel);
  }

  byte[] encode() {
    ByteWriter out = NodeBytes.begin(BYTES).writeLong(node.value()).writeVarLong(oldestMillis);
    total.encode(out);
    out.writeVarLong(latency.size());
    latency.forEach((nanos, count) -> out.writeVarLong(nanos).writeVarLong(count));
    out.writeVarLong(byLabel.size());
    byLabel.forEach((label, counts) -> counts.encode(out.writeText(label)));
    return out.toBytes();
  }

  static ClientFacts decode(byte[] bytes) {
    return NodeBytes.decode(
        bytes,
        in -> {
          NodeId node = new NodeId(in.readLong());
          long oldestMillis = in.readVarLong();
          Counts total = Counts.decode(in);
          SortedMap<Long, Long> latency = new TreeMap<>();
          for (int left = in.readCount(ROWS_MAX); left > 0; left--) {
            long nanos = in.readVarLong();
            latency.put(nanos, in.readVarLong());
          }
          SortedMap<String, Counts> byLabel = new TreeMap<>();
          for (int left = in.readCount(ROWS_MAX); left > 0; left--) {
            String label = in.readText();
            byLabel.put(label, Counts.decode(in));
          }
          return new ClientFacts(node, oldestMillis, total, latency, byLabel);
        });
  }
}
