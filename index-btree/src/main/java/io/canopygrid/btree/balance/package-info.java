/**
 * How a subtree that has grown too large is split: when, where, and onto which node. Each split is
 * two small transactions, which abort nobody else's (docs/decisions/0006).
 */
@NullMarked
package io.canopygrid.btree.balance;

import org.jspecify.annotations.NullMarked;
