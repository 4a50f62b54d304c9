/** What the layers around the protocol supply. */
@NullMarked
package io.canopygrid.gmu.spi;

import org.jspecify.annotations.NullMarked;
