/** Canopy in the transactions of a transaction manager of Jakarta Transactions. */
@NullMarked
package io.canopygrid.jta;

import org.jspecify.annotations.NullMarked;
