/**
 * Internal. How indexes are cut and placed, as users see and change it, and a node's part in the
 * balance of the grid.
 */
@NullMarked
package io.canopygrid.btree.structure;

import org.jspecify.annotations.NullMarked;
