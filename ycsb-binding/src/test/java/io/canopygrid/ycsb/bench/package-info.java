@NullMarked
package io.canopygrid.ycsb.bench;

import org.jspecify.annotations.NullMarked;
