/** The command {@code canopy soak}. */
@NullMarked
package io.canopygrid.soak.cli;

import org.jspecify.annotations.NullMarked;
