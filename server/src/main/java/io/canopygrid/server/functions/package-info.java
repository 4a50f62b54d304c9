/** Loads the functions of users when a server starts. */
@NullMarked
package io.canopygrid.server.functions;

import org.jspecify.annotations.NullMarked;
