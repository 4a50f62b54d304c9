package io.canopygrid.gmu.infinispan;

import java.util.concurrent.CompletableFuture;
import org.infinispan.commons.IllegalLifecycleStateException;
import org.infinispan.commons.util.concurrent.CompletableFutures;
import org.jspecify.annotations.Nullable;

/** Confirms, or does not, a phase of a rebalance that Infinispan has given this node. */
final class PhaseConfirmation {
  private PhaseConfirmation() {}

  /**
   * The failure of a phase that has become pointless. Infinispan goes on with another topology, and
   * must not hear that this node got its state in this one. Infinispan logs nothing of this kind of
   * exception, and confirms nothing.
   */
  static IllegalLifecycleStateException pointless() {
    return new IllegalLifecycleStateException();
  }

  /** Ends a stage. It gets the exception itself: Infinispan takes a wrapped one for an error. */
  static void give(CompletableFuture<Void> stage, @Nullable Throwable failure) {
    if (failure == null) {
      stage.complete(null);
    } else {
      stage.completeExceptionally(CompletableFutures.extractException(failure));
    }
  }
}
