/** Tests of the transactions of clients. */
@NullMarked
package io.canopygrid.server.endpoint.transaction;

import org.jspecify.annotations.NullMarked;
