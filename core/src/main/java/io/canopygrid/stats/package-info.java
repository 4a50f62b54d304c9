/** Recording and summing up durations. */
@NullMarked
package io.canopygrid.stats;

import org.jspecify.annotations.NullMarked;
