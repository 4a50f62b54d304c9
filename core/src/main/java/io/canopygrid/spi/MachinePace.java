package io.canopygrid.spi;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** The machine's clock. */
final class MachinePace implements Pace {
  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void sleep(long nanos) {
    LockSupport.parkNanos(nanos);
  }

  @Override
  public long random(long bound) {
    return ThreadLocalRandom.current().nextLong(bound);
  }
}
