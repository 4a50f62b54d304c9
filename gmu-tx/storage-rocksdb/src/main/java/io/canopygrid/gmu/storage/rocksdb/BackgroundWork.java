package io.canopygrid.gmu.storage.rocksdb;

import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.MemTableInfo;
import org.rocksdb.Status;

/** Hears of the engine's own work, on its threads. */
final class BackgroundWork extends AbstractEventListener {
  private volatile boolean logBegun;
  private volatile boolean failed;
  private volatile @Nullable Status failure;

  BackgroundWork() {
    super(EnabledEventCallback.ON_BACKGROUND_ERROR, EnabledEventCallback.ON_MEMTABLE_SEALED);
  }

  @Override
  public void onMemTableSealed(MemTableInfo info) {
    logBegun = true;
  }

  @Override
  public void onBackgroundError(BackgroundErrorReason reason, @Nullable Status status) {
    failure = status;
    failed = true;
  }

  /**
   * Whether another write-ahead log was begun since the last call. Called by the thread that
   * writes, which is the one that begins logs.
   */
  boolean takeLogBegun() {
    boolean begun = logBegun;
    logBegun = false;
    return begun;
  }

  boolean hasFailed() {
    return failed;
  }

  /** The failure; null: the engine did not say. */
  @Nullable Status failure() {
    return failure;
  }
}
