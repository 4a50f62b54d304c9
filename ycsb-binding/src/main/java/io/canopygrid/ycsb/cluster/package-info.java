/** Starts, watches and stops a cluster on this machine, for a benchmark or a demonstration. */
@NullMarked
package io.canopygrid.ycsb.cluster;

import org.jspecify.annotations.NullMarked;
