/**
 * The parts that every piece of a transaction over the whole tree knows: its index, its own state
 * and the errors it reports. The packages below use each other downwards only: {@code commit} (the
 * transaction and its commit) uses {@code scan} (the reads and staged writes of one index), which
 * uses {@code read} (the snapshot). Internal: not for applications.
 */
@NullMarked
package io.canopygrid.btree.access;

import org.jspecify.annotations.NullMarked;
