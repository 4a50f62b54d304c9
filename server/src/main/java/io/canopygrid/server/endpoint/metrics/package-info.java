/** The metrics of a server, in Prometheus' format. Internal: not for applications. */
@NullMarked
package io.canopygrid.server.endpoint.metrics;

import org.jspecify.annotations.NullMarked;
