/**
 * Requests outside of transactions: indexes and their structure, routes, snapshots, users, and the
 * cluster with the addresses of its servers. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.server.endpoint.catalog;

import org.jspecify.annotations.NullMarked;
