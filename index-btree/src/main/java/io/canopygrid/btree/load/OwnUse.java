package io.canopygrid.btree.load;

import io.canopygrid.btree.subtree.SubtreeHeader;

/**
 * Hears which subtrees the callers in a node's own JVM use, here or elsewhere. Any thread calls it
 * within every operation, so it must be quick, take no lock, and not block.
 */
public interface OwnUse {
  /**
   * Hears nothing: for a grid whose placement does not depend on uses, and for callers that would
   * go where the data goes.
   */
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

  /** Whether uses are heard at all; if not, the caller looks up nothing for them. */
  default boolean isHeard() {
    return true;
  }

  /**
   * A subtree was read at its primary. Reads of this node's own copy as a backup are not told,
   * because they cost other nodes nothing.
   *
   * @param kcl the subtree; other kcls, as {@link SubtreeHeader#isSubtree} says, are not counted
   * @param weight as in {@link SubtreeLoad#readsPerSecond}
   */
  void read(long kcl, long weight);

  /** A key of a subtree was written or removed. */
  void wrote(long kcl);
}
