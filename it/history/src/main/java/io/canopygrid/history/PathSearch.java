package io.canopygrid.history;

import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Shortest paths in one graph, again and again without clearing its arrays. */
final class PathSearch {
  private static final int NONE = -1;

  private final Graph graph;
  private final int[] stamp;
  private final int[] cameBy;
  private final int[] cameFrom;
  private final IntList queue = new IntList();
  private int search;

  PathSearch(Graph graph) {
    this.graph = graph;
    this.stamp = new int[graph.nodes()];
    this.cameBy = new int[graph.nodes()];
    this.cameFrom = new int[graph.nodes()];
  }

  /** Forgets the last search. */
  void begin() {
    search++;
    queue.clear();
  }

  /** Adds a node to start from, if it may be on a path. */
  void start(int node, IntPredicate allowed) {
    if (stamp[node] != search && allowed.test(node)) {
      visit(node, NONE, NONE);
    }
  }

  private void visit(int node, int from, int by) {
    stamp[node] = search;
    cameFrom[node] = from;
    cameBy[node] = by;
    queue.add(node);
  }

  /**
   * Searches from the starts on, over edges of some kinds, through nodes that are allowed; a start
   * can be a goal itself.
   */
  @Nullable Path find(int kinds, IntPredicate allowed, IntPredicate goal) {
    for (int at = 0; at < queue.size(); at++) {
      int node = queue.get(at);
      if (goal.test(node)) {
        return path(node);
      }
      for (int edge = graph.from(node); edge < graph.from(node + 1); edge++) {
        int next = graph.target(edge);
        if (graph.is(edge, kinds) && stamp[next] != search && allowed.test(next)) {
          visit(next, node, edge);
        }
      }
    }
    return null;
  }

  private Path path(int goal) {
    int length = 0;
    for (int node = goal; cameFrom[node] != NONE; node = cameFrom[node]) {
      length++;
    }
    int[] nodes = new int[length + 1];
    int[] edges = new int[length];
    nodes[length] = goal;
    for (int i = length; i > 0; i--) {
      edges[i - 1] = cameBy[nodes[i]];
      nodes[i - 1] = cameFrom[nodes[i]];
    }
    return new Path(nodes, edges);
  }

  /**
   * A path: one node more than edges.
   *
   * @param nodes in order
   * @param edges between them
   */
  record Path(int[] nodes, int[] edges) {
    int first() {
      return nodes[0];
    }

    int last() {
      return nodes[nodes.length - 1];
    }
  }
}
