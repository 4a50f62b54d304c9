/**
 * The things that a node keeps on its disk, as the protocol says it (docs/internals/recovery.md):
 * the changes of each step, and the state that a node begins with when it has some already.
 * Interfaces and values only; the engines that write them are elsewhere.
 */
@NullMarked
package io.canopygrid.gmu.storage;

import org.jspecify.annotations.NullMarked;
