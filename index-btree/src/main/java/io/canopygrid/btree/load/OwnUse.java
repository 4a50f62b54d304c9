package io.canopygrid.btree.load;

import io.canopygrid.btree.subtree.SubtreeHeader;

/**
 * Hears what the callers in a node's own JVM use of any subtree, here or elsewhere. Called on the
 * way of every operation by any thread: it must be quick, take no lock, and not block.
 */
public interface OwnUse {
  /** Hears nothing: nobody decides by it, or whose use it is would go wherever the data goes. */
  OwnUse NONE =
      new OwnUse() {
        @Override
        public boolean isHeard() {
          return false;
        }

        @Override
        public void read(long kcl, long weight) {}

        @Override
        public void wrote(long kcl) {}
      };

  /** False if telling is in vain: what only telling needs to know is then not looked up. */
  default boolean isHeard() {
    return true;
  }

  /**
   * A subtree was read, by its primary: what this node read in a backup's copy of its own costs
   * nobody anything.
   *
   * @param kcl the subtree; other kcls, as {@link SubtreeHeader#isSubtree} says, are not counted
   * @param weight as in {@link SubtreeLoad#readsPerSecond}
   */
  void read(long kcl, long weight);

  /** A key of a subtree was written or removed. */
  void wrote(long kcl);
}
