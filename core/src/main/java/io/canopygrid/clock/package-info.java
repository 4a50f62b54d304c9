/** Vector clocks, one component per shard. */
@NullMarked
package io.canopygrid.clock;

import org.jspecify.annotations.NullMarked;
