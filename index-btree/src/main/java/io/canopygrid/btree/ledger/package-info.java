/**
 * The records of named commits: the outcome of each commit that has a name
 * (docs/decisions/0007-records-of-commits.md). Internal: not for applications.
 */
@NullMarked
package io.canopygrid.btree.ledger;

import org.jspecify.annotations.NullMarked;
