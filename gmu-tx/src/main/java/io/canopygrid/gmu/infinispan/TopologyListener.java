package io.canopygrid.gmu.infinispan;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.notifications.Listener;
import org.infinispan.notifications.cachelistener.annotation.PartitionStatusChanged;
import org.infinispan.notifications.cachelistener.annotation.TopologyChanged;
import org.infinispan.notifications.cachelistener.event.PartitionStatusChangedEvent;
import org.infinispan.notifications.cachelistener.event.TopologyChangedEvent;
import org.infinispan.partitionhandling.AvailabilityMode;

/** Passes the events of a grid's cache on to its host. */
@Listener
final class TopologyListener {
  private final GridHost host;

  TopologyListener(GridHost host) {
    this.host = host;
  }

  /** Infinispan installs the topology, and confirms the phase, once the stage is complete. */
  @TopologyChanged
  public CompletionStage<Void> topologyChanged(TopologyChangedEvent<?, ?> event) {
    return event.isPre()
        ? host.onTopology(
            event.getNewTopologyId(),
            event.getReadConsistentHashAtEnd(),
            event.getWriteConsistentHashAtEnd())
        : CompletableFuture.completedFuture(null);
  }

  /** Refuses from before the mode is degraded on, until after it is available again. */
  @PartitionStatusChanged
  public void partitionStatusChanged(PartitionStatusChangedEvent<?, ?> event) {
    boolean available = event.getAvailabilityMode() == AvailabilityMode.AVAILABLE;
    if (event.isPre() != available) {
      host.onAvailability(available);
    }
  }
}
