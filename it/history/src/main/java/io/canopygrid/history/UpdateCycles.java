package io.canopygrid.history;

import io.canopygrid.history.Graph.Kind;
import io.canopygrid.history.PathSearch.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the cycles of the committed updates and names them: one finding per strongly connected
 * component, by the worst cycle that is in it.
 */
final class UpdateCycles {
  /** All kinds but the order of sessions. */
  static final int ITEMS = Kind.WW.bit() | Kind.WR.bit() | Kind.RW.bit();

  private static final int WRITES = Kind.WW.bit();
  private static final int FLOW = WRITES | Kind.WR.bit();

  /** The most nodes of a component that are tried as the beginning of its shortest cycle. */
  private static final int STARTS_MAX = 100;

  private final Graph graph;
  private final Words words;
  private final Findings findings;
  private final Anomaly skew;
  private final PathSearch search;
  private final boolean[] named;

  UpdateCycles(Graph graph, Workload workload, Words words, Findings findings) {
    this.graph = graph;
    this.words = words;
    this.findings = findings;
    this.skew = workload == Workload.INDEX_SCAN ? Anomaly.PREDICATE_SKEW : Anomaly.WRITE_SKEW;
    this.search = new PathSearch(graph);
    this.named = new boolean[graph.nodes()];
  }

  /** Reports all of them; the components of the whole graph. */
  int[] report() {
    int[] component = Components.of(graph, Graph.ALL);
    if (members(component).isEmpty()) {
      return component;
    }
    report(WRITES, Anomaly.DIRTY_WRITE);
    report(FLOW, Anomaly.CIRCULAR_INFORMATION_FLOW);
    report(ITEMS, skew);
    report(Graph.ALL, Anomaly.SESSION_ORDER);
    return component;
  }

  /** Reports each component by its shortest cycle, under one name. */
  void reportAs(Anomaly anomaly) {
    int[] component = Components.of(graph, Graph.ALL);
    for (IntList members : members(component)) {
      add(anomaly, shortest(members, component, Graph.ALL));
    }
  }

  /** Names the components over some kinds of edges that hold no cycle that has a name already. */
  private void report(int kinds, Anomaly anomaly) {
    int[] component = Components.of(graph, kinds);
    for (IntList members : members(component)) {
      boolean known = false;
      for (int i = 0; i < members.size(); i++) {
        known |= named[members.get(i)];
        named[members.get(i)] = true;
      }
      if (known) {
        continue;
      }
      Path single = kinds == ITEMS ? single(members, component, WRITES) : null;
      if (single != null && oneTimeline(single)) {
        add(Anomaly.LOST_UPDATE, single);
        continue;
      }
      if (kinds == ITEMS && single == null) {
        single = single(members, component, FLOW);
      }
      if (single != null) {
        add(Anomaly.READ_SKEW, single);
      } else {
        add(anomaly, shortest(members, component, kinds));
      }
    }
  }

  private void add(Anomaly anomaly, Path cycle) {
    findings.add(anomaly, () -> words.path(graph, cycle));
  }

  /** The components of more than one node. */
  private static List<IntList> members(int[] component) {
    int[] sizes = new int[component.length];
    for (int c : component) {
      sizes[c]++;
    }
    List<@Nullable IntList> byComponent = new ArrayList<>();
    List<IntList> large = new ArrayList<>();
    for (int c = 0; c < component.length; c++) {
      IntList members = sizes[c] > 1 ? new IntList() : null;
      byComponent.add(members);
      if (members != null) {
        large.add(members);
      }
    }
    for (int node = 0; node < component.length; node++) {
      IntList members = byComponent.get(component[node]);
      if (members != null) {
        members.add(node);
      }
    }
    return large;
  }

  /** A cycle with one missed write; for the rest over edges of some kinds. */
  private @Nullable Path single(IntList members, int[] component, int kinds) {
    Path best = null;
    for (int i = 0; i < members.size(); i++) {
      int reader = members.get(i);
      for (int edge = graph.from(reader); edge < graph.from(reader + 1); edge++) {
        int writer = graph.target(edge);
        if (graph.is(edge, Kind.RW.bit()) && component[writer] == component[reader]) {
          Path back = path(writer, reader, component, kinds);
          Path cycle = back == null ? null : close(reader, edge, back);
          if (cycle != null && (best == null || better(cycle, best))) {
            best = cycle;
          }
        }
      }
      if (best != null && i > STARTS_MAX) {
        break;
      }
    }
    return best;
  }

  private boolean better(Path cycle, Path best) {
    boolean one = oneTimeline(cycle);
    return one == oneTimeline(best) ? cycle.edges().length < best.edges().length : one;
  }

  private boolean oneTimeline(Path cycle) {
    for (int edge : cycle.edges()) {
      if (graph.timeline(edge) != graph.timeline(cycle.edges()[0])) {
        return false;
      }
    }
    return true;
  }

  private @Nullable Path path(int from, int to, int[] component, int kinds) {
    search.begin();
    search.start(from, node -> true);
    return search.find(kinds, node -> component[node] == component[to], node -> node == to);
  }

  private static Path close(int first, int edge, Path back) {
    int[] nodes = new int[back.nodes().length + 1];
    int[] edges = new int[back.edges().length + 1];
    nodes[0] = first;
    edges[0] = edge;
    System.arraycopy(back.nodes(), 0, nodes, 1, back.nodes().length);
    System.arraycopy(back.edges(), 0, edges, 1, back.edges().length);
    return new Path(nodes, edges);
  }

  private Path shortest(IntList members, int[] component, int kinds) {
    Path best = null;
    for (int i = 0; i < Math.min(members.size(), STARTS_MAX); i++) {
      int node = members.get(i);
      for (int edge = graph.from(node); edge < graph.from(node + 1); edge++) {
        int next = graph.target(edge);
        if (!graph.is(edge, kinds) || component[next] != component[node]) {
          continue;
        }
        Path back = path(next, node, component, kinds);
        if (back != null && (best == null || back.edges().length + 1 < best.edges().length)) {
          best = close(node, edge, back);
        }
      }
    }
    if (best == null) {
      throw new IllegalStateException("a component of several nodes has a cycle");
    }
    return best;
  }
}
