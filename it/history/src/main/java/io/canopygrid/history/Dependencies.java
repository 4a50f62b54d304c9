package io.canopygrid.history;

import io.canopygrid.history.Graph.Kind;
import io.canopygrid.history.Txn.Status;
import java.util.List;
import java.util.function.IntPredicate;

/** Builds the graph of the committed updates, or of more transactions. */
final class Dependencies {
  private final List<Txn> txns;
  private final Observations observations;
  private final IntPredicate included;
  private final Graph.Builder builder;

  private Dependencies(List<Txn> txns, Observations observations, IntPredicate included) {
    this.txns = txns;
    this.observations = observations;
    this.included = included;
    this.builder = new Graph.Builder(txns.size());
  }

  /**
   * Nodes are all transactions; only those that are included have edges.
   *
   * @param included the committed updates and, maybe, others
   * @param sessions whose order counts
   */
  static Graph graph(
      List<Txn> txns, Observations observations, IntPredicate included, List<int[]> sessions) {
    Dependencies dependencies = new Dependencies(txns, observations, included);
    dependencies.addWrites();
    dependencies.addReads();
    for (int[] session : sessions) {
      dependencies.addSession(session);
    }
    return dependencies.builder.build();
  }

  private void addWrites() {
    for (int t = 0; t < observations.timelines().size(); t++) {
      Timeline timeline = observations.timeline(t);
      for (int version = 1; version < timeline.versions(); version++) {
        for (int next : timeline.successors(version)) {
          builder.add(timeline.writer(version), timeline.writer(next), Kind.WW, t);
        }
      }
    }
  }

  private void addReads() {
    for (int txn = 0; txn < txns.size(); txn++) {
      if (!included.test(txn)) {
        continue;
      }
      for (int o = observations.from(txn); o < observations.from(txn + 1); o++) {
        int t = observations.seenTimeline(o);
        Timeline timeline = observations.timeline(t);
        int version = observations.seenVersion(o);
        if (timeline.writer(version) != Timeline.NONE) {
          builder.add(timeline.writer(version), txn, Kind.WR, t);
        }
        for (int next : timeline.successors(version)) {
          builder.add(txn, timeline.writer(next), Kind.RW, t);
        }
      }
    }
  }

  /**
   * Orders each transaction of a client after its last one and after all that the client has seen
   * since.
   */
  private void addSession(int[] session) {
    IntList before = new IntList();
    for (int txn : session) {
      if (txns.get(txn).status() == Status.FAIL) {
        continue;
      }
      if (included.test(txn)) {
        for (int i = 0; i < before.size(); i++) {
          builder.add(before.get(i), txn, Kind.SO, 0);
        }
        before.clear();
        before.add(txn);
      } else if (txns.get(txn).status() == Status.OK) {
        for (int o = observations.from(txn); o < observations.from(txn + 1); o++) {
          Timeline timeline = observations.timeline(observations.seenTimeline(o));
          int writer = timeline.writer(observations.seenVersion(o));
          if (writer != Timeline.NONE) {
            before.add(writer);
          }
        }
      }
    }
  }
}
