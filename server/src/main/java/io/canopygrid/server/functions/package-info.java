/** Loads the functions of users when a server starts. Internal: not for applications. */
@NullMarked
package io.canopygrid.server.functions;

import org.jspecify.annotations.NullMarked;
