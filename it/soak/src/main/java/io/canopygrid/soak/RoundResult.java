package io.canopygrid.soak;

import io.canopygrid.history.Anomaly;
import io.canopygrid.history.Txn;
import io.canopygrid.history.Verdict;
import io.canopygrid.soak.cluster.Command;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The result of one round.
 *
 * @param faults what was done, in this order
 * @param committed acknowledged transactions
 * @param failed those that certainly did not commit, by the reason told
 * @param unknown those of unknown end
 * @param changes how many subtrees were split, merged and moved meanwhile, about
 * @param drawn how many the balance has given to the node whose clients use them, at least
 * @param histories how many were checked
 * @param anomalies how many of each kind were found
 * @param wrong what must not happen whatever is done to the cluster, in words
 * @param heapBytes live in each node at the end
 * @param threads of each node at the end
 */
record RoundResult(
    List<Done> faults,
    long committed,
    Map<String, Long> failed,
    long unknown,
    long changes,
    long drawn,
    int histories,
    Map<Anomaly, Integer> anomalies,
    List<String> wrong,
    List<Long> heapBytes,
    List<Long> threads) {
  /**
   * A fault that was done.
   *
   * @param fromMillis when it began, in the run's time
   * @param nanos until the cluster was whole again
   */
  record Done(ClusterFault fault, long fromMillis, long nanos) {}

  boolean isRight() {
    return anomalies.isEmpty() && wrong.isEmpty();
  }

  /** Collects it. */
  static final class Builder {
    private final List<Done> faults = new ArrayList<>();
    private final Map<String, Long> failed = new TreeMap<>();
    private final Map<Anomaly, Integer> anomalies = new EnumMap<>(Anomaly.class);
    private final List<String> wrong = new ArrayList<>();
    private long committed;
    private long unknown;
    private long changes;
    private long drawn;
    private int histories;

    void fault(ClusterFault fault, long fromMillis, long nanos) {
      faults.add(new Done(fault, fromMillis, nanos));
    }

    void count(Txn txn) {
      switch (txn.status()) {
        case OK -> committed++;
        case FAIL -> failed.merge(txn.error(), 1L, Long::sum);
        case INFO -> unknown++;
      }
    }

    void verdict(String index, Verdict verdict) {
      histories++;
      verdict.counts().forEach((anomaly, times) -> anomalies.merge(anomaly, times, Integer::sum));
      verdict.findings().forEach(finding -> wrong.add(index + ": " + finding));
      if (verdict.result() == Verdict.Result.UNKNOWN) {
        wrong.add(index + ": the history proves nothing: " + verdict);
      }
    }

    void changes(long more, long moreDrawn) {
      changes += more;
      drawn += moreDrawn;
    }

    void wrong(List<String> more) {
      wrong.addAll(more);
    }

    RoundResult build(List<Command> vitals) {
      return new RoundResult(
          List.copyOf(faults),
          committed,
          failed,
          unknown,
          changes,
          drawn,
          histories,
          anomalies,
          List.copyOf(wrong),
          vitals.stream().map(node -> node.number("heap")).toList(),
          vitals.stream().map(node -> node.number("threads")).toList());
    }
  }
}
