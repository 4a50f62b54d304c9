/** A shard's copy, and its state in chunks for a learner. Internal: not for applications. */
@NullMarked
package io.canopygrid.gmu.protocol.copy;

import org.jspecify.annotations.NullMarked;
