/** The output of commands: lines, bars, tables and JSON for progress and results. */
@NullMarked
package io.canopygrid.server.terminal;

import org.jspecify.annotations.NullMarked;
