/** Grids in the JVM of tests with JUnit: users start with {@link CanopyTest}. */
@NullMarked
package io.canopygrid.junit;

import org.jspecify.annotations.NullMarked;
