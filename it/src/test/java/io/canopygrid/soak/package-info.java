/** Clusters that are broken on purpose. */
@NullMarked
package io.canopygrid.soak;

import org.jspecify.annotations.NullMarked;
