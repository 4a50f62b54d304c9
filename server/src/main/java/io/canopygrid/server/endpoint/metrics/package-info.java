/** What a server counts and measures, in Prometheus' format. */
@NullMarked
package io.canopygrid.server.endpoint.metrics;

import org.jspecify.annotations.NullMarked;
