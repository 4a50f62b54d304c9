package io.canopygrid.gmu.storage.rocksdb;

import org.rocksdb.AbstractEventListener;
import org.rocksdb.MemTableInfo;

/**
 * Hears when the engine begins another write-ahead log: whenever a buffer is full.
 *
 * <p>The engine's other events are not asked for. The Java interface of background errors does not
 * know all of their reasons, and fails at those that it does not know.
 */
final class LogSwitches extends AbstractEventListener {
  private volatile boolean begun;

  LogSwitches() {
    super(EnabledEventCallback.ON_MEMTABLE_SEALED);
  }

  @Override
  public void onMemTableSealed(MemTableInfo info) {
    begun = true;
  }

  /**
   * Whether another log was begun since the last call. Called by the thread that writes, which is
   * the one that begins logs.
   */
  boolean take() {
    boolean before = begun;
    begun = false;
    return before;
  }
}
