package io.canopygrid.btree.explain;

import io.canopygrid.explain.Explained;

/**
 * A recorded transaction, and the node that ran it.
 *
 * @param node its name in the grid
 */
public record NodeExplained(String node, Explained explained) {}
