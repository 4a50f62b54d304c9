/** Tests of what {@code canopy top} shows. */
@NullMarked
package io.canopygrid.server.top;

import org.jspecify.annotations.NullMarked;
