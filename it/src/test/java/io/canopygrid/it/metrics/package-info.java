/** What servers tell in their metrics. */
@NullMarked
package io.canopygrid.it.metrics;

import org.jspecify.annotations.NullMarked;
