package io.canopygrid.junit.simulation;

/**
 * Ends a body whose node has died, as the process is gone that it ran in. An error, so that bodies
 * do not take it for a failure that they can handle.
 */
final class NodeLost extends Error {
  private static final long serialVersionUID = 1;

  NodeLost() {
    super("the node of this simulated client has died", null, false, false);
  }
}
