package io.canopygrid.server.endpoint.limits;

import io.canopygrid.btree.serve.WriteMemory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that open transactions of all clients have written and not committed. The server keeps
 * them in memory, so their sum has a maximum for all connections together. Thread-safe.
 */
public final class StagedBytes implements WriteMemory {
  private final long max;
  private final AtomicLong held = new AtomicLong();

  /** No bytes yet, and at most so many. */
  public StagedBytes(long max) {
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

  /** The maximum of the sum. */
  public long max() {
    return max;
  }
}
