/** The reasons for which old versions are kept, in words. */
@NullMarked
package io.canopygrid.server.endpoint.horizon;

import org.jspecify.annotations.NullMarked;
