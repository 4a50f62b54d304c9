package io.canopygrid.junit;

import java.util.Locale;

/**
 * The grid that a test asks for.
 *
 * @param nodes 1 to {@value #NODES_MAX}
 * @param onDisk whether each node has a data directory
 */
record GridShape(int nodes, boolean onDisk) {
  /** More nodes than that in one JVM take longer to start than a test should. */
  static final int NODES_MAX = 9;

  GridShape {
    if (nodes < 1 || nodes > NODES_MAX) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "@CanopyTest: nodes must be 1 to %d: nodes=%d", NODES_MAX, nodes));
    }
  }

  /** Whether there is one node only, which needs no network and keeps its data in memory. */
  boolean isStandalone() {
    return nodes == 1 && !onDisk;
  }
}
