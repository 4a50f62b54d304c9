/** What the layer above supplies to the protocol. */
@NullMarked
package io.canopygrid.gmu.spi;

import org.jspecify.annotations.NullMarked;
