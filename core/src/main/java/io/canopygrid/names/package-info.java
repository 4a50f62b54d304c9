/** The names of indexes and snapshots. Internal: not for applications. */
@NullMarked
package io.canopygrid.names;

import org.jspecify.annotations.NullMarked;
