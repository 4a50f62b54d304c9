/** The release that runs. Internal: not for applications. */
@NullMarked
package io.canopygrid.server.release;

import org.jspecify.annotations.NullMarked;
