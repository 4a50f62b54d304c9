/** Guava's suites for maps of the JDK, on indexes. */
@NullMarked
package io.canopygrid.it.maps;

import org.jspecify.annotations.NullMarked;
