/**
 * The simplest store that a node can have: a shard's keys in the memory of the JVM, in a {@link
 * java.util.TreeMap}. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.gmu.memory;

import org.jspecify.annotations.NullMarked;
