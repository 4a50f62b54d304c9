/** Which names indexes and snapshots can have. Internal: not for applications. */
@NullMarked
package io.canopygrid.names;

import org.jspecify.annotations.NullMarked;
