/** The protocol as a pure state machine: messages and time in, effects out. */
@NullMarked
package io.canopygrid.gmu.protocol;

import org.jspecify.annotations.NullMarked;
