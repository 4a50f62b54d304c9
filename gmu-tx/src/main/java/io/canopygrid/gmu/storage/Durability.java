package io.canopygrid.gmu.storage;

/**
 * The meaning of "stored" in a grid whose nodes have disks (docs/internals/recovery.md). In the
 * order of strength: a grid's durability can be raised, and not lowered.
 */
public enum Durability {
  /** The operating system has it: it outlives the death of the process. */
  ASYNC,
  /** The disk has it: it outlives the death of the machine. */
  FSYNC
}
