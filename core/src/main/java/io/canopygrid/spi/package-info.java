/** What implementations of the public API share; not for applications. */
@NullMarked
package io.canopygrid.spi;

import org.jspecify.annotations.NullMarked;
