/**
 * A running node: the protocol driven by threads, clocks and a transport, and its face to the
 * layers above. {@link io.canopygrid.gmu.spi} is its face to its host.
 */
@NullMarked
package io.canopygrid.gmu.node;

import org.jspecify.annotations.NullMarked;
