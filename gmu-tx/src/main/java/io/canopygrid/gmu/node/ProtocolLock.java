package io.canopygrid.gmu.node;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock around a node's protocol, held for microseconds. A thread that finds it taken yields the
 * processor a few times, and sleeps only then. Sleeping and waking up costs more than waiting. The
 * processor may also be needed by the thread that has the lock or was just woken for it.
 * Thread-safe.
 */
final class ProtocolLock {
  /** On two processors 2 to 16 are alike (docs/internals/performance.md, Log). */
  private static final int YIELDS = 4;

  private final ReentrantLock lock = new ReentrantLock();

  /** Takes the lock, and waits for it where another thread has it. */
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

  /** Releases the lock, which the calling thread must have. */
  void leave() {
    lock.unlock();
  }
}
