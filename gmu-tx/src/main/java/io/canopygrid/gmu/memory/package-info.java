/**
 * The simplest stores that a node can have, in the memory of the JVM: a shard's keys in a {@link
 * java.util.TreeMap}, and a disk as the maps that a replay of its changes gives. Internal: not for
 * applications.
 */
@NullMarked
package io.canopygrid.gmu.memory;

import org.jspecify.annotations.NullMarked;
