/** {@code canopy demo}: what Canopy guarantees, shown in a minute. */
@NullMarked
package io.canopygrid.ycsb.demo;

import org.jspecify.annotations.NullMarked;
