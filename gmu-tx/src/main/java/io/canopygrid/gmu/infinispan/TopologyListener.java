package io.canopygrid.gmu.infinispan;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.infinispan.notifications.Listener;
import org.infinispan.notifications.cachelistener.annotation.PartitionStatusChanged;
import org.infinispan.notifications.cachelistener.annotation.TopologyChanged;
import org.infinispan.notifications.cachelistener.event.PartitionStatusChangedEvent;
import org.infinispan.notifications.cachelistener.event.TopologyChangedEvent;
import org.infinispan.partitionhandling.AvailabilityMode;

/** Passes the events of a grid's cache on to its node's {@link TopologyInstaller}. */
@Listener
final class TopologyListener {
  private final TopologyInstaller topologies;
  private final Executor infinispans;

  /**
   * A listener to one cache.
   *
   * @param infinispans where Infinispan goes on after a wait: the wait may end on a thread that
   *     reads a socket, which Infinispan must not make wait
   */
  TopologyListener(TopologyInstaller topologies, Executor infinispans) {
    this.topologies = topologies;
    this.infinispans = infinispans;
  }

  /** Infinispan installs the topology, and confirms the phase, once the stage is complete. */
  @TopologyChanged
  public CompletionStage<Void> topologyChanged(TopologyChangedEvent<?, ?> event) {
    if (!event.isPre()) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> here =
        topologies
            .onTopology(
                event.getNewTopologyId(),
                event.getReadConsistentHashAtEnd(),
                event.getWriteConsistentHashAtEnd())
            .toCompletableFuture();
    return here.isDone() ? here : handedOver(here);
  }

  private CompletionStage<Void> handedOver(CompletableFuture<Void> here) {
    CompletableFuture<Void> there = new CompletableFuture<>();
    var unused =
        here.whenComplete(
            (done, why) -> infinispans.execute(() -> PhaseConfirmation.give(there, why)));
    return there;
  }

  /** Refuses from before the mode is degraded on, until after it is available again. */
  @PartitionStatusChanged
  public void partitionStatusChanged(PartitionStatusChangedEvent<?, ?> event) {
    boolean available = event.getAvailabilityMode() == AvailabilityMode.AVAILABLE;
    if (event.isPre() != available) {
      topologies.onAvailability(available);
    }
  }
}
