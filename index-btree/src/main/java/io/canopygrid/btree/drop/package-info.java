/**
 * Takes away what is left of dropped indexes: their subtrees are marked, so that nobody reads or
 * writes them any more, then emptied in small transactions, and at last removed with their entries
 * of the crown (docs/internals/index.md, Dropping). Internal: not for applications.
 */
@NullMarked
package io.canopygrid.btree.drop;

import org.jspecify.annotations.NullMarked;
