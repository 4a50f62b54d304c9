/**
 * {@code canopy bench ycsb}: YCSB's workloads on a cluster of this machine, with results that are
 * checked.
 */
@NullMarked
package io.canopygrid.ycsb.bench;

import org.jspecify.annotations.NullMarked;
