/**
 * Spans of what a server does for clients that say where in a trace it belongs, and their way to a
 * collector. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.server.endpoint.traces;

import org.jspecify.annotations.NullMarked;
