/**
 * One subtree: a contiguous range of an index's keys whose entries share a kcl, the header that
 * says which range, and what a transaction layer that knows nothing of ranges asks of it.
 */
@NullMarked
package io.canopygrid.btree.subtree;

import org.jspecify.annotations.NullMarked;
