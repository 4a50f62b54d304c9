/**
 * The trees that Canopy's index is compared with, over the same transaction layer: a B+tree whose
 * nodes ("pages") are entries of the grid, and switches for each of the paper's three mechanisms
 * (Diegues &amp; Romano, ICDCS 2014): pages of one subtree placed together and operations that move
 * there, inner pages read dirty, and the top of the tree on every node.
 */
@NullMarked
package io.canopygrid.study.tree;

import org.jspecify.annotations.NullMarked;
