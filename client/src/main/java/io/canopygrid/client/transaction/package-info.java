/** Transactions and functions at servers. Internal: not for applications. */
@NullMarked
package io.canopygrid.client.transaction;

import org.jspecify.annotations.NullMarked;
