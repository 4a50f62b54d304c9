/** Cursors as publishers of {@link java.util.concurrent.Flow}. Internal: not for applications. */
@NullMarked
package io.canopygrid.stream;

import org.jspecify.annotations.NullMarked;
