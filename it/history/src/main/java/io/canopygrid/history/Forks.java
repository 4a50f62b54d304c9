package io.canopygrid.history;

import io.canopygrid.history.Txn.Status;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds committed transactions that only read, each of which fits in with the updates, and which do
 * not fit in together: a long fork.
 */
final class Forks {
  private final List<Txn> txns;
  private final Observations observations;
  private final Workload workload;
  private final Words words;
  private final Findings findings;

  Forks(
      List<Txn> txns,
      Observations observations,
      Workload workload,
      Words words,
      Findings findings) {
    this.txns = txns;
    this.observations = observations;
    this.workload = workload;
    this.words = words;
    this.findings = findings;
  }

  /**
   * All committed transactions must have an order.
   *
   * @param sessions whose order counts
   */
  void reportAll(List<int[]> sessions) {
    cycles(graph(sessions)).reportAs(Anomaly.LONG_FORK);
  }

  /**
   * The updates and the reads of any one client must have an order, which need not be the client's
   * own.
   */
  void reportWithinSessions(Sessions sessions) {
    int[] component = Components.of(graph(List.of()), Graph.ALL);
    int[] sizes = new int[txns.size()];
    Arrays.stream(component).forEach(c -> sizes[c]++);
    for (int[] session : sessions.all()) {
      Set<Integer> readers = new HashSet<>();
      for (int txn : session) {
        if (readsOnly(txn) && sizes[component[txn]] > 1) {
          readers.add(txn);
        }
      }
      if (readers.size() > 1) {
        Graph graph =
            Dependencies.graph(
                txns,
                observations,
                txn -> observations.committed(txn) || readers.contains(txn),
                List.of());
        cycles(graph).reportAs(Anomaly.SESSION_FORK);
      }
    }
  }

  private boolean readsOnly(int txn) {
    return txns.get(txn).status() == Status.OK && !observations.committed(txn);
  }

  private Graph graph(List<int[]> sessions) {
    return Dependencies.graph(
        txns,
        observations,
        txn -> observations.committed(txn) || txns.get(txn).status() == Status.OK,
        sessions);
  }

  private UpdateCycles cycles(Graph graph) {
    return new UpdateCycles(graph, workload, words, findings);
  }
}
