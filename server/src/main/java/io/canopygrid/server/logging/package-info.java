/**
 * The log of the command line and the server, which is on standard error, as text or JSON.
 * Internal: not for applications.
 */
@NullMarked
package io.canopygrid.server.logging;

import org.jspecify.annotations.NullMarked;
