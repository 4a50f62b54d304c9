package io.canopygrid.history;

import io.canopygrid.history.PathSearch.Path;
import java.util.List;

/** Tells paths in the graph to a reader. */
final class Words {
  private final List<Txn> txns;
  private final Observations observations;

  Words(List<Txn> txns, Observations observations) {
    this.txns = txns;
    this.observations = observations;
  }

  String txn(int txn) {
    return txns.get(txn).toString();
  }

  String timeline(int timeline) {
    return observations.timeline(timeline).name();
  }

  /** For example {@code T3 (update, process 1) -rw x-> T5 (update, process 2) -ww x-> T3 (...)}. */
  String path(Graph graph, Path path) {
    StringBuilder text = new StringBuilder(txn(path.first()));
    for (int i = 0; i < path.edges().length; i++) {
      int edge = path.edges()[i];
      text.append(
          switch (graph.kind(edge)) {
            case WW -> " -ww " + timeline(graph.timeline(edge)) + "-> ";
            case WR -> " -wr " + timeline(graph.timeline(edge)) + "-> ";
            case RW -> " -rw " + timeline(graph.timeline(edge)) + "-> ";
            case SO -> " -session-> ";
          });
      text.append(txn(path.nodes()[i + 1]));
    }
    return text.toString();
  }
}
