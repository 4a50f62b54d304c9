package io.canopygrid.gmu.node;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock around a node's protocol, held for microseconds. Whoever finds it taken lets others have
 * the processor a few times, and sleeps only then: to be put to sleep and woken costs more than to
 * wait, and whoever has the lane, or was just woken for it, may be the one that needs a processor.
 * Thread-safe.
 */
final class Lane {
  /** On two processors 2 to 16 are alike (docs/internals/performance.md, Log). */
  private static final int YIELDS = 4;

  private final ReentrantLock lock = new ReentrantLock();

  /** Waits until nobody else is in, and goes in. */
  @SuppressWarnings("ThreadPriorityCheck") // a hint: without it the thread sleeps, which is slower
  void enter() {
    for (int yields = 0; yields < YIELDS; yields++) {
      if (lock.tryLock()) {
        return;
      }
      Thread.yield();
    }
    lock.lock();
  }

  /** To be called by the thread that went in. */
  void leave() {
    lock.unlock();
  }
}
