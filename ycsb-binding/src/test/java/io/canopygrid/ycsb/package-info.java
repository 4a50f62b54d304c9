@NullMarked
package io.canopygrid.ycsb;

import org.jspecify.annotations.NullMarked;
