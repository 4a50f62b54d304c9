package io.canopygrid.gmu.infinispan;

import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.factories.impl.ModuleMetadataBuilder.ModuleBuilder;
import org.infinispan.globalstate.GlobalStateManager;
import org.infinispan.remoting.transport.Address;
import org.infinispan.topology.CacheJoinInfo;
import org.infinispan.topology.CacheStatusResponse;
import org.infinispan.topology.ClusterTopologyManager;
import org.infinispan.topology.ClusterTopologyManagerFactory;
import org.infinispan.topology.ClusterTopologyManagerImpl;
import org.infinispan.topology.RebalancingStatus;
import org.jspecify.annotations.Nullable;

/**
 * Infinispan's leader, which makes the topologies. Where a node joins to found a grid from disks,
 * the leader waits until it knows the {@link FoundingPlacement} itself: otherwise it would begin an
 * empty grid for the first node that comes. It also gives the first topology its id. While a node
 * is awaited that has stopped with its disk ({@link Absences}) it gives shards to no other node.
 * Thread-safe.
 */
final class FoundingLeader extends ClusterTopologyManagerImpl {
  private volatile @Nullable GlobalComponentRegistry components;

  /** In the place of Infinispan's. */
  static void register(ModuleBuilder builder) {
    InfinispanPart.replace(
        builder,
        ClusterTopologyManager.class,
        FoundingLeader.class,
        (leader, registry) -> leader.components = registry,
        Factory.class,
        Factory::new);
  }

  @Override
  public CompletionStage<CacheStatusResponse> handleJoin(
      String cacheName, Address joiner, CacheJoinInfo joinInfo, int joinerViewId) {
    if (!GridCacheName.isOne(cacheName) || joinInfo.getPersistentStateChecksum().isEmpty()) {
      return super.handleJoin(cacheName, joiner, joinInfo, joinerViewId);
    }
    GlobalComponentRegistry registry = Objects.requireNonNull(components, "not wired");
    FoundingStates states = (FoundingStates) registry.getComponent(GlobalStateManager.class);
    return states
        .founding(cacheName)
        .thenCompose(founding -> {
          setInitialCacheTopologyId(cacheName, founding.id());
          return super.handleJoin(cacheName, joiner, joinInfo, joinerViewId);
        });
  }

  /**
   * Whether shards may go to other nodes now. In the Infinispan of a node with a disk that hangs on
   * {@link Absences} alone, which end by themselves, and are asked anew each time. Infinispan's own
   * switch is told to each node that starts, and to each new leader, and would stay off then.
   */
  @Override
  public boolean isRebalancingEnabled() {
    GridHosts hosts = hosts();
    if (hosts == null || !hosts.haveDisks()) {
      return super.isRebalancingEnabled();
    }
    return !hosts.awaitOne();
  }

  /**
   * The status by which a node that joins knows whether it will get its shards, and waits for them.
   * It will: that it joins ends the wait for others. Infinispan's own cache is not waited for, as
   * nodes have it before they join the grid.
   */
  @Override
  public RebalancingStatus getRebalancingStatus(String cacheName) {
    RebalancingStatus status = super.getRebalancingStatus(cacheName);
    GridHosts hosts = hosts();
    boolean isPutOff = hosts != null && hosts.awaitOne() && GridCacheName.isOne(cacheName);
    return isPutOff && status == RebalancingStatus.SUSPENDED ? RebalancingStatus.PENDING : status;
  }

  private @Nullable GridHosts hosts() {
    GlobalComponentRegistry registry = components;
    return registry == null ? null : registry.getComponent(GridHosts.class);
  }

  private static final class Factory extends ClusterTopologyManagerFactory {
    /** Null in a cache manager without a network. */
    @Override
    public @Nullable Object construct(String componentName) {
      return super.construct(componentName) == null ? null : new FoundingLeader();
    }
  }
}
