/** A running node: the protocol driven by threads, clocks and a transport, and its face upwards. */
@NullMarked
package io.canopygrid.gmu.node;

import org.jspecify.annotations.NullMarked;
