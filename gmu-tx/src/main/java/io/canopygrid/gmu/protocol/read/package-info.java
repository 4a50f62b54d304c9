/** Reads of what a shard has published; any thread. */
@NullMarked
package io.canopygrid.gmu.protocol.read;

import org.jspecify.annotations.NullMarked;
