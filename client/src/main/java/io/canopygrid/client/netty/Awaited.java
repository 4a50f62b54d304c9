package io.canopygrid.client.netty;

/** Something that a thread waits for, and for which it may have to read. Thread-safe. */
interface Awaited {
  /** Whether it is there. */
  boolean isDone();

  /** Lets the thread that waits look again. */
  void wake();
}
