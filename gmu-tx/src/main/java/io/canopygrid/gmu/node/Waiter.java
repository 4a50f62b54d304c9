package io.canopygrid.gmu.node;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One answer that one thread at a time waits for, and that another thread hands over. */
final class Waiter<T> {
  /** The value that says that no answer will come. */
  private static final Object NONE = new Object();

  private static final VarHandle VALUE;

  static {
    try {
      VALUE = MethodHandles.lookup().findVarHandle(Waiter.class, "value", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The thread that waits, once one does. Written before {@link #value} is looked at. */
  private volatile @Nullable Thread thread;

  @SuppressWarnings("unused") // through VALUE
  private volatile @Nullable Object value;

  /** Hands over the answer; only the first counts. Any thread. */
  void complete(T answer) {
    hand(answer);
  }

  /** Ends the wait without an answer. Any thread. */
  void abandon() {
    hand(NONE);
  }

  private void hand(Object what) {
    if (VALUE.compareAndSet(this, null, what)) {
      LockSupport.unpark(thread);
    }
  }

  /** Whether nothing is waited for any more. Any thread. */
  boolean isDone() {
    return value != null;
  }

  /**
   * The answer, or null past the deadline and where none will come.
   *
   * @param deadlineNanos in the time of {@link System#nanoTime()}
   */
  @SuppressWarnings({"unchecked", "ReferenceEquality"}) // NONE is not a T
  @Nullable T await(long deadlineNanos) throws InterruptedException {
    thread = Thread.currentThread();
    while (value == null) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      long left = deadlineNanos - System.nanoTime();
      if (left <= 0) {
        break;
      }
      LockSupport.parkNanos(this, left);
    }
    Object answer = value;
    return answer == NONE ? null : (T) answer;
  }
}
