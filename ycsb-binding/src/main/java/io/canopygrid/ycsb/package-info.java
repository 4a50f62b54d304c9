/**
 * The binding of YCSB 0.17.0 to Canopy's embedded API. YCSB's own client runs it with {@code -db
 * io.canopygrid.ycsb.CanopyDB -p workload=io.canopygrid.ycsb.TransactionalWorkload}.
 */
@NullMarked
package io.canopygrid.ycsb;

import org.jspecify.annotations.NullMarked;
