/** Tests of the log's format. */
@NullMarked
package io.canopygrid.server.logging;

import org.jspecify.annotations.NullMarked;
