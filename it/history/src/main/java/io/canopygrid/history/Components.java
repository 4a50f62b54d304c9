package io.canopygrid.history;

import java.util.Arrays;

/** Strongly connected components by Tarjan (1972), without recursion. */
final class Components {
  private static final int UNSEEN = -1;

  private final Graph graph;
  private final int kinds;
  private final int[] component;
  private final int[] found;
  private final int[] low;
  private final int[] edge;
  private final IntList path = new IntList();
  private final IntList stack = new IntList();
  private int clock;
  private int count;

  private Components(Graph graph, int kinds) {
    this.graph = graph;
    this.kinds = kinds;
    this.component = new int[graph.nodes()];
    this.found = new int[graph.nodes()];
    this.low = new int[graph.nodes()];
    this.edge = new int[graph.nodes()];
    Arrays.fill(component, UNSEEN);
    Arrays.fill(found, UNSEEN);
  }

  /** The component of each node, over edges of some kinds only. */
  static int[] of(Graph graph, int kinds) {
    Components components = new Components(graph, kinds);
    for (int node = 0; node < graph.nodes(); node++) {
      if (components.found[node] == UNSEEN) {
        components.visit(node);
      }
    }
    return components.component;
  }

  private void visit(int root) {
    enter(root);
    while (path.size() > 0) {
      int node = path.get(path.size() - 1);
      int child = nextChild(node);
      if (child != UNSEEN) {
        enter(child);
      } else {
        path.removeLast();
        leave(node);
      }
    }
  }

  private void enter(int node) {
    found[node] = clock;
    low[node] = clock++;
    edge[node] = graph.from(node);
    path.add(node);
    stack.add(node);
  }

  /** The next child that has not been visited; visited ones lower this node's mark. */
  private int nextChild(int node) {
    while (edge[node] < graph.from(node + 1)) {
      int e = edge[node]++;
      if (!graph.is(e, kinds)) {
        continue;
      }
      int child = graph.target(e);
      if (found[child] == UNSEEN) {
        return child;
      }
      if (component[child] == UNSEEN) {
        low[node] = Math.min(low[node], found[child]);
      }
    }
    return UNSEEN;
  }

  private void leave(int node) {
    if (path.size() > 0) {
      int parent = path.get(path.size() - 1);
      low[parent] = Math.min(low[parent], low[node]);
    }
    if (low[node] == found[node]) {
      int member;
      do {
        member = stack.removeLast();
        component[member] = count;
      } while (member != node);
      count++;
    }
  }
}
