package io.canopygrid.server.endpoint;

import io.canopygrid.btree.serve.WriteMemory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What open transactions of all clients have written and not committed: the server has to keep it,
 * however many connections there are. Thread-safe.
 */
final class StagedBytes implements WriteMemory {
  private final long max;
  private final AtomicLong held = new AtomicLong();

  /** None of at most so many. */
  StagedBytes(long max) {
    this.max = max;
  }

  @Override
  public boolean take(long bytes) {
    if (held.addAndGet(bytes) <= max) {
      return true;
    }
    held.addAndGet(-bytes);
    return false;
  }

  @Override
  public void free(long bytes) {
    held.addAndGet(-bytes);
  }

  @Override
  public long held() {
    return held.get();
  }

  long max() {
    return max;
  }
}
