/** Reads of what a shard has published; any thread. Internal: not for applications. */
@NullMarked
package io.canopygrid.gmu.protocol.read;

import org.jspecify.annotations.NullMarked;
