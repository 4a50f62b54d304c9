/**
 * Counts how much each subtree is used: all uses at the node that serves it, and the uses of each
 * node's own callers where these are. The balance of the grid is judged by this. Internal: not for
 * applications.
 */
@NullMarked
package io.canopygrid.btree.load;

import org.jspecify.annotations.NullMarked;
