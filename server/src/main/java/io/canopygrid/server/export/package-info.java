/** Writes the entries of an index into a file. Internal: not for applications. */
@NullMarked
package io.canopygrid.server.export;

import org.jspecify.annotations.NullMarked;
