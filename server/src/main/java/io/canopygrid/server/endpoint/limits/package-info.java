/**
 * The limits of a server, and the worker threads and counters that hold to them. Internal: not for
 * applications.
 */
@NullMarked
package io.canopygrid.server.endpoint.limits;

import org.jspecify.annotations.NullMarked;
