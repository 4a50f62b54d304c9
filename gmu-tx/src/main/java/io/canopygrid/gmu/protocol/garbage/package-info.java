/** The data that a node keeps until nobody can need it: decisions, and the horizon of versions. */
@NullMarked
package io.canopygrid.gmu.protocol.garbage;

import org.jspecify.annotations.NullMarked;
