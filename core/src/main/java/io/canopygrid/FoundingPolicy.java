package io.canopygrid;

/**
 * Whether a node may begin a new, empty cluster where it finds none.
 *
 * <p>A node that cannot reach the others does not know whether they run. If it began a cluster of
 * its own there would be two of one name, and the data of one of them would be lost later.
 */
public enum FoundingPolicy {
  /**
   * Where the machine of each other configured member says that nobody listens there, or where more
   * than half of the configured members, this one included, are together and none is in a cluster.
   */
  AUTO,
  /** Also where members do not answer. The operator knows that they do not run. */
  ALWAYS,
  /** Never: the node only joins a cluster that is there. */
  NEVER
}
