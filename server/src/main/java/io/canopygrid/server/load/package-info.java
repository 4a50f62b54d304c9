/** Puts the records of a file into an index. Internal: not for applications. */
@NullMarked
package io.canopygrid.server.load;

import org.jspecify.annotations.NullMarked;
