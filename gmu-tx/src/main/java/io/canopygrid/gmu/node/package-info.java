/**
 * A running node: the protocol driven by threads, clocks and a transport. This package is a node's
 * face to the layers above; {@link io.canopygrid.gmu.spi} is its face to its host. Internal: not
 * for applications.
 */
@NullMarked
package io.canopygrid.gmu.node;

import org.jspecify.annotations.NullMarked;
