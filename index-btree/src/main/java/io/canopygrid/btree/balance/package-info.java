/**
 * Moves parts of subtrees elsewhere when a subtree has grown too large, or on demand. Each shift is
 * two small transactions, which do not abort others (docs/decisions/0006 and 0008). Internal: not
 * for applications.
 */
@NullMarked
package io.canopygrid.btree.balance;

import org.jspecify.annotations.NullMarked;
