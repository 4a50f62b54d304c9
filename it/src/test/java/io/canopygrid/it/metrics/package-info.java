/** The metrics of servers, as tests read them. */
@NullMarked
package io.canopygrid.it.metrics;

import org.jspecify.annotations.NullMarked;
