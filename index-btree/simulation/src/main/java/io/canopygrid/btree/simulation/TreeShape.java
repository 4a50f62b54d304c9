package io.canopygrid.btree.simulation;

import io.canopygrid.IndexOptions;
import io.canopygrid.btree.tree.BPlusTree;
import io.canopygrid.gmu.simulation.SeededRandom;

/**
 * The size of a run's trees: small, so that subtrees split all the time.
 *
 * @param indexes how many
 * @param keys how many keys of each are in use
 * @param arity most keys in a node of a local tree
 * @param subtreeEntriesMax entries above which a subtree is split
 * @param movedMax most entries that one split moves
 * @param readOnly how often a transaction is read-only
 * @param subtreesPerNode how many subtrees the controller wants; 0: there is none
 */
record TreeShape(
    int indexes,
    int keys,
    int arity,
    int subtreeEntriesMax,
    int movedMax,
    double readOnly,
    int subtreesPerNode) {
  /** Of so many runs one has a controller. */
  private static final int CONTROLLED = 5;

  static TreeShape random(long seed, SeededRandom random) {
    boolean controlled = Math.floorMod(seed, CONTROLLED) == CONTROLLED - 1;

    return new TreeShape(
        random.oneOf(1, 1, 2, 3),
        random.oneOf(12, 24, 40),
        random.oneOf(BPlusTree.ARITY_MIN, 6),
        random.oneOf(IndexOptions.SUBTREE_ENTRIES_LEAST, 5, 8),
        random.oneOf(2, 4, 100),
        random.oneOf(0.2, 0.4),
        controlled ? random.oneOf(1, 2, 4) : 0);
  }
}
