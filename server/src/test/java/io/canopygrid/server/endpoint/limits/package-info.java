/** Worker threads without threads, for tests. */
@NullMarked
package io.canopygrid.server.endpoint.limits;

import org.jspecify.annotations.NullMarked;
