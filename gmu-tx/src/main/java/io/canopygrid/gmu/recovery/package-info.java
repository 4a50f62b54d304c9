/**
 * The return of a grid from its disks (docs/internals/recovery.md): which disks count, and who owns
 * what. Without I/O, so that hosts and the simulation decide alike.
 */
@NullMarked
package io.canopygrid.gmu.recovery;

import org.jspecify.annotations.NullMarked;
