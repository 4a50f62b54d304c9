/** What the log looks like. */
@NullMarked
package io.canopygrid.server.logging;

import org.jspecify.annotations.NullMarked;
