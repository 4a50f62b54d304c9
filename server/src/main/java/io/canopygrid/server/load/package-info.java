/** Puts the records of a file into an index. */
@NullMarked
package io.canopygrid.server.load;

import org.jspecify.annotations.NullMarked;
