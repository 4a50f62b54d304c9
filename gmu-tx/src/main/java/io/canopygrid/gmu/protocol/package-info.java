/**
 * The protocol as a pure state machine: messages and time in, effects out. Internal: not for
 * applications.
 */
@NullMarked
package io.canopygrid.gmu.protocol;

import org.jspecify.annotations.NullMarked;
