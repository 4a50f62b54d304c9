/**
 * Internal: the transaction over any number of indexes, loads of whole subtrees, and a commit that
 * follows keys which have moved.
 */
@NullMarked
package io.canopygrid.btree.access.commit;

import org.jspecify.annotations.NullMarked;
