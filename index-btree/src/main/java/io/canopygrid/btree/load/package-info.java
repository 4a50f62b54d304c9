/**
 * How much each subtree is used, counted at the node that serves it, and by whose callers, counted
 * where they are: what the balance of the grid is judged by.
 */
@NullMarked
package io.canopygrid.btree.load;

import org.jspecify.annotations.NullMarked;
