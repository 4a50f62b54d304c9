/** Tests of what {@code canopy watch} prints and keeps. */
@NullMarked
package io.canopygrid.server.watch;

import org.jspecify.annotations.NullMarked;
