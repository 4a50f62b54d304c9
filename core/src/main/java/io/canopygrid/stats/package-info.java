/** Recording and summing up durations. Internal: not for applications. */
@NullMarked
package io.canopygrid.stats;

import org.jspecify.annotations.NullMarked;
