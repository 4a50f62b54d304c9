package io.canopygrid.client.netty;

import io.canopygrid.wire.client.Reply;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The pages of one cursor, in order. No more are ever here than credits were given. Taken by one
 * thread.
 */
public final class Pages implements Answers {
  private final BlockingQueue<CompletableFuture<Answer>> arrived = new LinkedBlockingQueue<>();
  private final @Nullable SharedReading reading;

  /** Held where a page comes, or is not to come: two threads may hear of these at once. */
  private final ReentrantLock ending = new ReentrantLock();

  private CompletableFuture<Answer> next;

  /** Whether no page comes any more. */
  private boolean lost;

  /** The stream that the cursor is known by. */
  private final int stream;

  /** The pages on a connection that waiting threads read; null: they do not. */
  Pages(int stream, @Nullable SharedReading reading) {
    this.stream = stream;
    this.reading = reading;
    this.next = new ComingAnswer(reading);
    arrived.add(next);
  }

  int stream() {
    return stream;
  }

  /** The next page, or the failure that ends the cursor; to be called once for each. */
  public CompletableFuture<Answer> take() {
    return arrived.remove();
  }

  @Override
  public boolean answered(Answer answer) {
    boolean last = !(answer.reply() instanceof Reply.Page page) || page.end();
    CompletableFuture<Answer> page;
    ending.lock();
    try {
      page = next;
      if (!last && !lost) {
        next = new ComingAnswer(reading);
        arrived.add(next);
      }
    } finally {
      ending.unlock();
    }
    page.complete(answer);
    return last;
  }

  @Override
  public void lost(LostConnectionException why) {
    CompletableFuture<Answer> page;
    ending.lock();
    try {
      lost = true;
      page = next;
    } finally {
      ending.unlock();
    }
    page.completeExceptionally(why);
  }
}
