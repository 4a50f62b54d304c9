/**
 * Transactions over the whole tree, in bytes: finding a key's subtree and following redirects, own
 * writes over the snapshot, scans over subtrees, and a commit that follows keys which have moved.
 */
@NullMarked
package io.canopygrid.btree.access;

import org.jspecify.annotations.NullMarked;
