/** Vector clocks, one component per shard. Internal: not for applications. */
@NullMarked
package io.canopygrid.clock;

import org.jspecify.annotations.NullMarked;
