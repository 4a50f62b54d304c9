/** What commands show to people: progress and tables. */
@NullMarked
package io.canopygrid.ycsb.terminal;

import org.jspecify.annotations.NullMarked;
