/** The metrics of a server, in Prometheus' format. */
@NullMarked
package io.canopygrid.server.endpoint.metrics;

import org.jspecify.annotations.NullMarked;
