/** The balance of clusters of real nodes. */
@NullMarked
package io.canopygrid.it.balance;

import org.jspecify.annotations.NullMarked;
