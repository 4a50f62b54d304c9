package io.canopygrid.client.netty;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The one answer of most requests. */
final class OneAnswer implements Answers {
  private final CompletableFuture<Answer> future;

  /** An answer on a connection that waiting threads read; null: they do not. */
  OneAnswer(@Nullable SharedReading reading) {
    future = new ComingAnswer(reading);
  }

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
