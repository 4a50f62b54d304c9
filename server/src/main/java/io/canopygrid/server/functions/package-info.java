/** Functions that a server loads when it starts. */
@NullMarked
package io.canopygrid.server.functions;

import org.jspecify.annotations.NullMarked;
