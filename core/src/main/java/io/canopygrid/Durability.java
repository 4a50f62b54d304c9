package io.canopygrid;

/**
 * The time at which a commit counts as stored in a cluster whose nodes have data directories: a
 * commit is told when all nodes that have its entries have stored it. In the order of strength: a
 * cluster's durability can be raised, and not lowered.
 */
public enum Durability {
  /**
   * The operating system has it: it outlives the death of the process. The disk has it a fraction
   * of a second later.
   */
  ASYNC,
  /** The disk has it: it outlives the death of the machine, also a power cut. */
  FSYNC
}
