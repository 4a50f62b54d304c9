package io.canopygrid.history;

import io.canopygrid.history.PathSearch.Path;
import io.canopygrid.history.Txn.Status;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Checks each transaction that is no committed update against the updates: a version that it missed
 * may not come before, or be, a version that it saw, or that its client had seen or written before.
 *
 * <p>A path between two updates only goes up in any topological order of them. So the search for
 * one never goes beyond the last of its goals; with an order that follows the time of the commits
 * that leaves those few updates that ran at about the same time.
 */
final class Snapshots {
  private final List<Txn> txns;
  private final Observations observations;
  private final Workload workload;
  private final Words words;
  private final Findings findings;
  private final Graph graph;
  private final PathSearch search;
  private final int[] position;
  private final int[] sessionGoal;
  private final int[] ownGoal;

  /**
   * Over updates whose graph has no cycle.
   *
   * @param workload scans that miss a row are called by another name
   */
  Snapshots(
      List<Txn> txns,
      Observations observations,
      Graph graph,
      Workload workload,
      Words words,
      Findings findings) {
    this.txns = txns;
    this.observations = observations;
    this.graph = graph;
    this.workload = workload;
    this.words = words;
    this.findings = findings;
    this.search = new PathSearch(graph);
    this.position = positions();
    this.sessionGoal = new int[graph.nodes()];
    this.ownGoal = new int[graph.nodes()];
  }

  /** Places of all transactions in a topological order: of those that could be next the oldest. */
  private int[] positions() {
    int[] waitsFor = new int[graph.nodes()];
    for (int edge = 0; edge < graph.edges(); edge++) {
      waitsFor[graph.target(edge)]++;
    }
    PriorityQueue<Ready> ready = new PriorityQueue<>();
    for (int node = 0; node < graph.nodes(); node++) {
      if (waitsFor[node] == 0) {
        ready.add(new Ready(time(node), node));
      }
    }
    int[] positions = new int[graph.nodes()];
    int placed = 0;
    while (!ready.isEmpty()) {
      int node = ready.remove().node;
      positions[node] = placed++;
      for (int edge = graph.from(node); edge < graph.from(node + 1); edge++) {
        if (--waitsFor[graph.target(edge)] == 0) {
          ready.add(new Ready(time(graph.target(edge)), graph.target(edge)));
        }
      }
    }
    if (placed < graph.nodes()) {
      throw new IllegalStateException("the updates have a cycle");
    }
    return positions;
  }

  private long time(int txn) {
    Txn one = txns.get(txn);
    return one.status() == Status.OK ? one.endNanos() : one.startNanos();
  }

  /**
   * Reports all.
   *
   * @param ordered whether a transaction must not miss either what its client knew before
   */
  void report(Sessions sessions, boolean ordered) {
    for (int number = 0; number < sessions.all().size(); number++) {
      int[] session = sessions.all().get(number);
      if (ordered) {
        report(session, number + 1);
      } else {
        for (int txn : session) {
          report(new int[] {txn}, txn + 1);
        }
      }
    }
  }

  private void report(int[] session, int mark) {
    int last = -1;
    for (int txn : session) {
      boolean ok = txns.get(txn).status() == Status.OK;
      if (observations.committed(txn)) {
        if (ok) {
          sessionGoal[txn] = mark;
          last = Math.max(last, position[txn]);
        }
        continue;
      }
      int limit = markSeen(txn, ownGoal, txn + 1, last);
      check(txn, mark, limit);
      if (ok) {
        last = markSeen(txn, sessionGoal, mark, limit);
      }
    }
  }

  /** Marks the writers of what a transaction saw; the last of their positions and another one. */
  private int markSeen(int txn, int[] goals, int mark, int position) {
    int last = position;
    for (int o = observations.from(txn); o < observations.from(txn + 1); o++) {
      Timeline timeline = observations.timeline(observations.seenTimeline(o));
      int writer = timeline.writer(observations.seenVersion(o));
      if (writer != Timeline.NONE) {
        goals[writer] = mark;
        last = Math.max(last, this.position[writer]);
      }
    }
    return last;
  }

  private void check(int txn, int mark, int limit) {
    Map<Integer, Integer> missed = missed(txn, limit);
    if (missed.isEmpty()) {
      return;
    }
    Path alone = find(missed, UpdateCycles.ITEMS, limit, node -> ownGoal[node] == txn + 1);
    if (alone != null) {
      findings.add(anomaly(alone), () -> story(txn, alone, missed, "which it saw"));
      return;
    }
    Path session =
        find(
            missed,
            Graph.ALL,
            limit,
            node -> ownGoal[node] == txn + 1 || sessionGoal[node] == mark);
    if (session != null) {
      findings.add(
          Anomaly.SESSION_ORDER,
          () -> story(txn, session, missed, "which it or its client before it saw or did"));
    }
  }

  private Anomaly anomaly(Path path) {
    if (path.edges().length == 0) {
      return Anomaly.HALF_COMMIT;
    }
    return workload == Workload.INDEX_SCAN ? Anomaly.PHANTOM : Anomaly.INCONSISTENT_SNAPSHOT;
  }

  /** Writers of what came right after what it saw, with the timeline, up to a position. */
  private Map<Integer, Integer> missed(int txn, int limit) {
    Map<Integer, Integer> missed = new HashMap<>();
    for (int o = observations.from(txn); o < observations.from(txn + 1); o++) {
      int t = observations.seenTimeline(o);
      Timeline timeline = observations.timeline(t);
      for (int next : timeline.successors(observations.seenVersion(o))) {
        if (timeline.writer(next) != txn && position[timeline.writer(next)] <= limit) {
          missed.putIfAbsent(timeline.writer(next), t);
        }
      }
    }
    return missed;
  }

  private @Nullable Path find(
      Map<Integer, Integer> missed, int kinds, int limit, IntPredicate goal) {
    search.begin();
    missed.keySet().forEach(node -> search.start(node, any -> true));
    return search.find(kinds, node -> position[node] <= limit, goal);
  }

  private String story(int txn, Path path, Map<Integer, Integer> missed, String end) {
    return words.txn(txn)
        + " "
        + txns.get(txn).ops()
        + " missed the write of "
        + words.timeline(missed.getOrDefault(path.first(), 0))
        + " by "
        + words.path(graph, path)
        + ", "
        + end;
  }

  private record Ready(long time, int node) implements Comparable<Ready> {
    @Override
    public int compareTo(Ready other) {
      int byTime = Long.compare(time, other.time);
      return byTime == 0 ? Integer.compare(node, other.node) : byTime;
    }
  }
}
