/** Clusters that are broken on purpose. */
@NullMarked
package io.canopygrid.it.soak;

import org.jspecify.annotations.NullMarked;
