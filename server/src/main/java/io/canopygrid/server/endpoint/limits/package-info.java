/** How much a server serves at most, and the worker threads and counters that hold to it. */
@NullMarked
package io.canopygrid.server.endpoint.limits;

import org.jspecify.annotations.NullMarked;
