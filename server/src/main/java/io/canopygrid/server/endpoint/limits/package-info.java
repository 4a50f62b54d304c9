/** The limits of a server, and the worker threads and counters that hold to them. */
@NullMarked
package io.canopygrid.server.endpoint.limits;

import org.jspecify.annotations.NullMarked;
