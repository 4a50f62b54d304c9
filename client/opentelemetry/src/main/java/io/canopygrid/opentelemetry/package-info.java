/** The transactions of handles as spans of OpenTelemetry. */
@NullMarked
package io.canopygrid.opentelemetry;

import org.jspecify.annotations.NullMarked;
