/**
 * The data that a node keeps until nobody can need it: decisions, and the horizon of versions.
 * Internal: not for applications.
 */
@NullMarked
package io.canopygrid.gmu.protocol.garbage;

import org.jspecify.annotations.NullMarked;
