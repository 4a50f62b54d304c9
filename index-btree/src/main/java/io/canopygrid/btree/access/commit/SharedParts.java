package io.canopygrid.btree.access.commit;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.read.Router;
import io.canopygrid.gmu.spi.NodeThreads;
import java.util.function.Supplier;

/**
 * The parts that the transactions at one node share. Thread-safe.
 *
 * @param threads the time in which deadlines are given, and what waits in it
 * @param ids makes ids that no other transaction of the grid has
 */
record SharedParts(
    NodeThreads threads,
    Router router,
    ClosingParts closing,
    KclAllocation births,
    Supplier<String> ids) {
  /** The error of a load whose subtree another transaction is changing, which is settled. */
  CanopyException loadInTheWay(long kcl, String id) {
    closing.settle(kcl);
    return Failures.failure(
        ErrorCode.WRITE_CONFLICT,
        "the subtree that a load goes into was being changed by another transaction",
        id,
        null);
  }
}
