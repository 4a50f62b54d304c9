/**
 * The cuts and the placement of indexes, as users see and change them, and a node's part in the
 * balance of the grid. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.btree.structure;

import org.jspecify.annotations.NullMarked;
