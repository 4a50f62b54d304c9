/** No thread that others depend on waits. */
@NullMarked
package io.canopygrid.it.blocking;

import org.jspecify.annotations.NullMarked;
