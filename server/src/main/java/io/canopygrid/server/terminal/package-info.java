/** How commands show progress and results: lines, bars, tables, JSON. */
@NullMarked
package io.canopygrid.server.terminal;

import org.jspecify.annotations.NullMarked;
