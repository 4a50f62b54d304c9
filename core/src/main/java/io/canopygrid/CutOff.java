package io.canopygrid;

/**
 * The fineness of an index's cut.
 *
 * @param subtrees the number of subtrees that the index has
 * @param wanted the least number that it is to have, where it has entries for them
 * @param subtreesPerNode that is so many for each node
 * @param fixed whether an administrator has fixed that for this index
 * @param balanced whether the node that was asked balances by itself
 */
public record CutOff(
    int subtrees, int wanted, int subtreesPerNode, boolean fixed, boolean balanced) {
  /** Most subtrees per node that can be fixed. */
  public static final int SUBTREES_PER_NODE_MAX = 10_000;
}
