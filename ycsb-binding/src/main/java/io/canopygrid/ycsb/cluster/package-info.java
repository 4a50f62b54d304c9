/** A cluster on this machine for a benchmark or a demonstration: JVMs started, watched, stopped. */
@NullMarked
package io.canopygrid.ycsb.cluster;

import org.jspecify.annotations.NullMarked;
