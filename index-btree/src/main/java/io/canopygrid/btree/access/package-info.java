/**
 * Internal: what every part of a transaction over the whole tree knows, which is its index, its own
 * state and the errors it reports. The packages below use each other downwards only: {@code commit}
 * (the transaction and its commit) uses {@code scan} (what it reads and stages of one index), which
 * uses {@code read} (its snapshot).
 */
@NullMarked
package io.canopygrid.btree.access;

import org.jspecify.annotations.NullMarked;
