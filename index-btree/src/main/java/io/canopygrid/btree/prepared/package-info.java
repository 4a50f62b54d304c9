/**
 * Transactions that commit in two steps (docs/internals/index.md, Prepared transactions): the first
 * step leaves locks in the headers of subtrees, a redo log and an entry of TOP, the second one
 * takes them away and writes. Each step is an ordinary transaction. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.btree.prepared;

import org.jspecify.annotations.NullMarked;
