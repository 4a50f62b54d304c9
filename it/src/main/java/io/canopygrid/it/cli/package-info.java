/** What {@code canopy} offers to those who want to see the guarantees tested. */
@NullMarked
package io.canopygrid.it.cli;

import org.jspecify.annotations.NullMarked;
