/**
 * The transactions and functions of clients: the requests of one transaction are queued and carried
 * out in order, its cursors send pages, and its course is logged. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.server.endpoint.transaction;

import org.jspecify.annotations.NullMarked;
