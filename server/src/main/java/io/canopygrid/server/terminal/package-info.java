/** What commands show to people: progress, and tables. */
@NullMarked
package io.canopygrid.server.terminal;

import org.jspecify.annotations.NullMarked;
