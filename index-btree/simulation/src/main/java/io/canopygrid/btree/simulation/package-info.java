/**
 * The tree in the seeded simulation: the shipped code of transactions over indexes, splits and
 * cursors runs on a simulated grid, and what its clients saw is checked.
 */
@NullMarked
package io.canopygrid.btree.simulation;

import org.jspecify.annotations.NullMarked;
