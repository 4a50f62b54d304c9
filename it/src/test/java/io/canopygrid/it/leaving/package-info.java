/** Servers that begin behind a cut, and servers that are asked to stop while others come or die. */
@NullMarked
package io.canopygrid.it.leaving;

import org.jspecify.annotations.NullMarked;
