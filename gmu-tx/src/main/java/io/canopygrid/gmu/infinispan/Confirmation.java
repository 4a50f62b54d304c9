package io.canopygrid.gmu.infinispan;

import java.util.concurrent.CompletableFuture;
import org.infinispan.commons.IllegalLifecycleStateException;
import org.infinispan.commons.util.concurrent.CompletableFutures;
import org.jspecify.annotations.Nullable;

/** What Infinispan is told of a topology that it has given this node. */
final class Confirmation {
  private Confirmation() {}

  /**
   * Infinispan goes on with another topology, and must not hear that this node got what it was to
   * get in this one. Of this kind of exception it logs nothing, and it confirms nothing.
   */
  static IllegalLifecycleStateException pointless() {
    return new IllegalLifecycleStateException();
  }

  /** With the very exception: one that is wrapped Infinispan takes for an error. */
  static void give(CompletableFuture<Void> stage, @Nullable Throwable failure) {
    if (failure == null) {
      stage.complete(null);
    } else {
      stage.completeExceptionally(CompletableFutures.extractException(failure));
    }
  }
}
