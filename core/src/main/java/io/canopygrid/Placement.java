package io.canopygrid;

/** The rule by which a cluster that balances itself places its subtrees. */
public enum Placement {
  /**
   * No node serves much more than the mean of all reads and writes, from whichever node these come.
   * The default.
   */
  EVEN,
  /**
   * Data goes to the node whose callers use it: what the application in a node's own JVM does with
   * the node's own data counts 1/64 of what others do with it, and loads are even in this measure.
   * Saves requests where not all nodes have callers, or each uses data of its own; a node may come
   * to have three times the mean of the bytes. Clients of a server are not counted as callers of
   * any node: they ask the node that has the data anyway.
   */
  NEAR
}
