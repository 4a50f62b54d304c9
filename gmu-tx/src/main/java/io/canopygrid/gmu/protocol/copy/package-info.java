/** A shard's copy, and its state in chunks for a learner. */
@NullMarked
package io.canopygrid.gmu.protocol.copy;

import org.jspecify.annotations.NullMarked;
