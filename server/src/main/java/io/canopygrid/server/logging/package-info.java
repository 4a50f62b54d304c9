/** The log of the command line and the server, which is on standard error, as text or JSON. */
@NullMarked
package io.canopygrid.server.logging;

import org.jspecify.annotations.NullMarked;
