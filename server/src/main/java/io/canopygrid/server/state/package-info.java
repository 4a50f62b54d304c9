/**
 * The state of a grid in words and in JSON, the same in the shell and by HTTP. Internal: not for
 * applications.
 */
@NullMarked
package io.canopygrid.server.state;

import org.jspecify.annotations.NullMarked;
