/**
 * The output of commands: lines, bars, tables and JSON for progress and results. Internal: not for
 * applications.
 */
@NullMarked
package io.canopygrid.server.terminal;

import org.jspecify.annotations.NullMarked;
