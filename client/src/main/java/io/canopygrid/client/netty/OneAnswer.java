package io.canopygrid.client.netty;

import java.util.concurrent.CompletableFuture;

/** The one answer of most requests. */
final class OneAnswer implements Answers {
  private final CompletableFuture<Answer> future = new CompletableFuture<>();

  CompletableFuture<Answer> future() {
    return future;
  }

  @Override
  public boolean answered(Answer answer) {
    future.complete(answer);
    return true;
  }

  @Override
  public void lost(LostConnectionException why) {
    future.completeExceptionally(why);
  }
}
