/** The command {@code canopy watch}. Internal: not for applications. */
@NullMarked
package io.canopygrid.server.watch;

import org.jspecify.annotations.NullMarked;
