/** {@code canopy demo}: shows in a minute what Canopy guarantees. */
@NullMarked
package io.canopygrid.ycsb.demo;

import org.jspecify.annotations.NullMarked;
