package io.canopygrid.gmu.infinispan;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.commons.IllegalLifecycleStateException;
import org.infinispan.commons.util.concurrent.CompletableFutures;
import org.infinispan.topology.CacheTopology;
import org.jspecify.annotations.Nullable;

/**
 * What Infinispan is told of a topology that it has given this node. Where nothing came of it
 * Infinispan goes on with the next one, and must not hear that this node got what it was to get. Of
 * a topology in which nobody gets anything it counts no answers: that one ends well in any case, as
 * Infinispan logs an error else.
 */
final class Confirmation {
  private final CompletableFuture<Void> told = new CompletableFuture<>();
  private final boolean counts;

  Confirmation(@Nullable CacheTopology topology) {
    counts = topology != null && topology.getPhase() != CacheTopology.Phase.NO_REBALANCE;
  }

  /** Of this kind of exception Infinispan logs nothing, and it confirms nothing. */
  static IllegalLifecycleStateException pointless() {
    return new IllegalLifecycleStateException();
  }

  /** With the very exception: one that is wrapped Infinispan takes for an error. */
  void give(@Nullable Throwable failure) {
    Throwable why = failure == null ? null : CompletableFutures.extractException(failure);
    if (why == null || (!counts && why instanceof IllegalLifecycleStateException)) {
      told.complete(null);
    } else {
      told.completeExceptionally(why);
    }
  }

  void giveUp() {
    give(pointless());
  }

  CompletionStage<Void> told() {
    return told;
  }
}
