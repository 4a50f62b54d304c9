package io.canopygrid.btree.balance;

/**
 * Hears how far a change is. A listener may wait, which slows the change down. An exception that it
 * throws ends the change where it is, which leaves a valid tree.
 */
@FunctionalInterface
public interface ShiftListener {
  /** Ignores everything. */
  ShiftListener NONE = entries -> {};

  /** A shift has carried so many live entries. */
  void carried(int entries);
}
