/** Transactions over a sharded, replicated, multi-version store: GMU with a clock per shard. */
@NullMarked
package io.canopygrid.gmu;

import org.jspecify.annotations.NullMarked;
