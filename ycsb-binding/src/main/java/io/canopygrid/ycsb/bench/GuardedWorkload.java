package io.canopygrid.ycsb.bench;

import io.canopygrid.ycsb.TransactionalWorkload;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import site.ycsb.DB;

/**
 * Keeps the first exception of an operation and stops the workload, where YCSB's client thread
 * would end the JVM with exit code 0.
 */
final class GuardedWorkload extends TransactionalWorkload {
  private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

  @Override
  public boolean doInsert(DB db, Object threadstate) {
    try {
      return super.doInsert(db, threadstate);
    } catch (RuntimeException e) {
      return fail(e);
    }
  }

  @Override
  public boolean doTransaction(DB db, Object threadstate) {
    try {
      return super.doTransaction(db, threadstate);
    } catch (RuntimeException e) {
      return fail(e);
    }
  }

  /** The first exception of an operation; null: none was thrown. */
  @Nullable RuntimeException failure() {
    return failure.get();
  }

  private boolean fail(RuntimeException e) {
    failure.compareAndSet(null, e);
    requestStop();
    return false;
  }
}
