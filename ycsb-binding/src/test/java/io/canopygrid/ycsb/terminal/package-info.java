@NullMarked
package io.canopygrid.ycsb.terminal;

import org.jspecify.annotations.NullMarked;
