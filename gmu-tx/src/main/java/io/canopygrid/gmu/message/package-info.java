/** The messages between the nodes of a grid, as values. Internal: not for applications. */
@NullMarked
package io.canopygrid.gmu.message;

import org.jspecify.annotations.NullMarked;
