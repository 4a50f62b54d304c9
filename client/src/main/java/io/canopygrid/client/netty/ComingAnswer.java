package io.canopygrid.client.netty;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An answer that comes. The thread that waits for it, one at a time, reads the connection where no
 * other does.
 */
final class ComingAnswer extends CompletableFuture<Answer> implements Awaited {
  /** Null: the connection is read by its event loop alone. */
  private final @Nullable SharedReading reading;

  /** The thread that waits for it on its own turn to read, as well; null: none does. */
  private volatile @Nullable Thread waiting;

  ComingAnswer(@Nullable SharedReading reading) {
    this.reading = reading;
  }

  /** Waits; the way in which all callers of the client wait. */
  @Override
  public Answer get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (reading == null || isDone()) {
      return super.get(timeout, unit);
    }
    waiting = Thread.currentThread();
    try {
      reading.await(this, System.nanoTime() + unit.toNanos(timeout));
    } finally {
      waiting = null;
    }
    return super.get(0, unit);
  }

  @Override
  public boolean complete(Answer answer) {
    boolean first = super.complete(answer);
    wake();
    return first;
  }

  @Override
  public boolean completeExceptionally(Throwable why) {
    boolean first = super.completeExceptionally(why);
    wake();
    return first;
  }

  @Override
  public void wake() {
    Thread thread = waiting;
    if (thread != null && !thread.equals(Thread.currentThread())) {
      LockSupport.unpark(thread);
    }
  }
}
