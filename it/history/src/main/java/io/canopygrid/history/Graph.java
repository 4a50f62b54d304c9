package io.canopygrid.history;

/**
 * A directed graph over 0 to n - 1 in arrays. Each edge says its kind and the timeline it comes
 * from.
 */
final class Graph {
  /** The reason why one transaction comes before another one. */
  enum Kind {
    /** The other one wrote the next version. */
    WW(0),
    /** The other one read what this one wrote. */
    WR(1),
    /** The other one wrote the next version after what this one read. */
    RW(2),
    /** One client ran both, or saw the first before it ran the second. */
    SO(3);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    int bit() {
      return 1 << code;
    }
  }

  static final int ALL = Kind.WW.bit() | Kind.WR.bit() | Kind.RW.bit() | Kind.SO.bit();

  private static final Kind[] KINDS = Kind.values();

  private final int[] start;
  private final int[] target;
  private final int[] label;

  private Graph(int[] start, int[] target, int[] label) {
    this.start = start;
    this.target = target;
    this.label = label;
  }

  int nodes() {
    return start.length - 1;
  }

  int edges() {
    return target.length;
  }

  /** First edge of a node; its edges go on to the first one of the next node. */
  int from(int node) {
    return start[node];
  }

  int target(int edge) {
    return target[edge];
  }

  Kind kind(int edge) {
    return KINDS[label[edge] & 3];
  }

  int timeline(int edge) {
    return label[edge] >>> 2;
  }

  /** Whether the edge is of one of the kinds in a set of {@link Kind#bit}s. */
  boolean is(int edge, int kinds) {
    return (kinds & (1 << (label[edge] & 3))) != 0;
  }

  /** The same graph without the edges inside of components. */
  Graph withoutInner(int[] component) {
    Builder builder = new Builder(nodes());
    for (int node = 0; node < nodes(); node++) {
      for (int edge = from(node); edge < from(node + 1); edge++) {
        if (component[node] != component[target[edge]]) {
          builder.add(node, target[edge], kind(edge), timeline(edge));
        }
      }
    }
    return builder.build();
  }

  /** Takes edges in any order. */
  static final class Builder {
    private final int nodes;
    private final IntList sources = new IntList();
    private final IntList targets = new IntList();
    private final IntList labels = new IntList();

    Builder(int nodes) {
      this.nodes = nodes;
    }

    /** Adds an edge; one from a node to itself says nothing and is left out. */
    void add(int source, int target, Kind kind, int timeline) {
      if (source != target) {
        sources.add(source);
        targets.add(target);
        labels.add(timeline << 2 | kind.code);
      }
    }

    Graph build() {
      int[] start = new int[nodes + 1];
      for (int i = 0; i < sources.size(); i++) {
        start[sources.get(i) + 1]++;
      }
      for (int node = 0; node < nodes; node++) {
        start[node + 1] += start[node];
      }
      int[] at = start.clone();
      int[] target = new int[targets.size()];
      int[] label = new int[targets.size()];
      for (int i = 0; i < sources.size(); i++) {
        int edge = at[sources.get(i)]++;
        target[edge] = targets.get(i);
        label[edge] = labels.get(i);
      }
      return new Graph(start, target, label);
    }
  }
}
