/**
 * How parts of subtrees go elsewhere: when one has grown too large, and when somebody asks for it.
 * Each shift is two small transactions, which abort nobody else's (docs/decisions/0006 and 0008).
 */
@NullMarked
package io.canopygrid.btree.balance;

import org.jspecify.annotations.NullMarked;
