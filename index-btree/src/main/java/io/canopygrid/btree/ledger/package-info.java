/**
 * Internal. The records of named commits (docs/decisions/0007-records-of-commits.md): what became
 * of each commit that has a name.
 */
@NullMarked
package io.canopygrid.btree.ledger;

import org.jspecify.annotations.NullMarked;
