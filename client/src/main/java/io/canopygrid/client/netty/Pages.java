package io.canopygrid.client.netty;

import io.canopygrid.wire.client.Reply;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The pages of one cursor, in order. No more are ever here than credits were given. Taken by one
 * thread.
 */
public final class Pages implements Answers {
  private final BlockingQueue<CompletableFuture<Answer>> arrived = new LinkedBlockingQueue<>();
  private CompletableFuture<Answer> next = new CompletableFuture<>();

  /** The stream that the cursor is known by. */
  private final int stream;

  Pages(int stream) {
    this.stream = stream;
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
    CompletableFuture<Answer> page = next;
    if (!last) {
      next = new CompletableFuture<>();
      arrived.add(next);
    }
    page.complete(answer);
    return last;
  }

  @Override
  public void lost(LostConnectionException why) {
    next.completeExceptionally(why);
  }
}
