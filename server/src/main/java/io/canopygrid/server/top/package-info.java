/** {@code canopy top}: what a cluster does now, again and again. Internal: not for applications. */
@NullMarked
package io.canopygrid.server.top;

import org.jspecify.annotations.NullMarked;
