/** The console in a real browser, against real servers. */
@NullMarked
package io.canopygrid.it.console;

import org.jspecify.annotations.NullMarked;
