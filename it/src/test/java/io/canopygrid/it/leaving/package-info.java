/** Servers that are asked to stop: together, while others join or die, and under load. */
@NullMarked
package io.canopygrid.it.leaving;

import org.jspecify.annotations.NullMarked;
