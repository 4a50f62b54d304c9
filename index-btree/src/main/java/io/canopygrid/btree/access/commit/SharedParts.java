package io.canopygrid.btree.access.commit;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.access.read.Router;
import io.canopygrid.btree.subtree.KeyLock;
import io.canopygrid.gmu.spi.NodeThreads;
import java.util.Map;
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

  /** The error of a write of a key that a prepared transaction holds. */
  CanopyException held(IndexRef index, byte[] key, KeyLock lock, String id) {
    index.counters().aborted(ErrorCode.LOCK_TIMEOUT);
    String holder = router.holder(lock.owner());
    String text = index.textOf(key);
    return new CanopyException(
        ErrorCode.LOCK_TIMEOUT,
        ("key " + text + " of index '" + index.name() + "' is held by prepared transaction ")
            + (holder + ", which is not decided yet"),
        CommitState.NOT_COMMITTED,
        id,
        null,
        Map.of("index", index.name(), "key", text, "other", holder));
  }
}
