package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.stream.Collectors;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.factories.KnownComponentNames;
import org.infinispan.factories.impl.MBeanMetadata;
import org.infinispan.factories.impl.ModuleMetadataBuilder.ModuleBuilder;
import org.infinispan.factories.impl.Scopes;
import org.infinispan.globalstate.ScopedPersistentState;
import org.infinispan.globalstate.impl.ScopedPersistentStateImpl;
import org.infinispan.remoting.transport.Address;
import org.infinispan.remoting.transport.Transport;
import org.infinispan.topology.CacheStatusResponse;
import org.infinispan.topology.LocalTopologyManager;
import org.infinispan.topology.LocalTopologyManagerFactory;
import org.infinispan.topology.LocalTopologyManagerImpl;
import org.infinispan.topology.ManagerStatusResponse;
import org.jspecify.annotations.Nullable;

/**
 * Infinispan's local topologies, except for the answer to a new leader about the caches of grids,
 * which their {@link TopologyRecovery} gives. Other caches are not touched. Thread-safe.
 */
final class RecoveringTopologies extends LocalTopologyManagerImpl {
  private volatile @Nullable GlobalComponentRegistry components;

  /** In the place of Infinispan's: the module that is registered last decides. */
  static void register(ModuleBuilder builder) {
    InfinispanPart.replace(
        builder,
        LocalTopologyManager.class,
        RecoveringTopologies.class,
        (topologies, registry) -> topologies.components = registry,
        Factory.class,
        Factory::new);
    // The attributes and operations are the parent's. Without this the bean would be gone.
    builder.registerMBeanMetadata(
        RecoveringTopologies.class.getName(),
        MBeanMetadata.of(
            "LocalTopologyManager",
            "Infinispan's topologies",
            LocalTopologyManagerImpl.class.getName(),
            Scopes.GLOBAL));
  }

  /**
   * Takes this node's address for the id by which Infinispan knows it in what it stores, where it
   * stores nothing else: every node can then tell the ids of all ({@link GridCache#found}).
   */
  @Override
  public void start() {
    if (getPersistentUUID() == null) {
      ScopedPersistentState identity =
          new ScopedPersistentStateImpl(ScopedPersistentState.GLOBAL_SCOPE);
      Address address = registry().getComponent(Transport.class).getAddress();
      identity.setProperty("uuid", TopologyMapping.storedId(address).toString());
      prepareForRestore(identity);
    }
    super.start();
  }

  /**
   * Leaves, unless this node is founding a grid and goes on. A leader that begins to lead meanwhile
   * makes Infinispan join a second time. If the second answer comes after the first one has brought
   * the topology, Infinispan takes it for a failure and would leave.
   */
  @Override
  public void leave(String cacheName, long timeout) {
    TopologyInstaller grid = registry().getComponent(GridHosts.class).ofCache(cacheName);
    if (grid == null || !grid.goesOnFounding() || getCacheTopology(cacheName) == null) {
      super.leave(cacheName, timeout);
    }
  }

  private GlobalComponentRegistry registry() {
    return Objects.requireNonNull(components, "not wired");
  }

  @Override
  public CompletionStage<ManagerStatusResponse> handleStatusRequest(int viewId) {
    return super.handleStatusRequest(viewId).thenCompose(answer -> corrected(viewId, answer));
  }

  private CompletionStage<ManagerStatusResponse> corrected(int view, ManagerStatusResponse answer) {
    GlobalComponentRegistry registry = registry();
    Map<String, TopologyInstaller> grids = registry.getComponent(GridHosts.class).all();
    Set<NodeId> members =
        registry.getComponent(Transport.class).getMembers().stream()
            .map(TopologyMapping::nodeId)
            .collect(Collectors.toUnmodifiableSet());
    Map<String, CacheStatusResponse> caches = new HashMap<>(answer.caches());
    CompletableFuture<?>[] told =
        grids.entrySet().stream()
            .map(grid -> grid.getValue().onStatusAsked(view, caches.get(grid.getKey()), members))
            .map(CompletionStage::toCompletableFuture)
            .toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(told)
        .thenApplyAsync(
            done -> {
              grids.forEach(
                  (cache, grid) -> caches.computeIfPresent(cache, (name, raw) -> grid.answer(raw)));
              return new ManagerStatusResponse(caches, answer.rebalancingEnabled());
            },
            registry.getComponent(
                ExecutorService.class, KnownComponentNames.NON_BLOCKING_EXECUTOR));
  }

  private static final class Factory extends LocalTopologyManagerFactory {
    /** Null in a cache manager without a network. */
    @Override
    public @Nullable Object construct(String componentName) {
      return super.construct(componentName) == null ? null : new RecoveringTopologies();
    }
  }
}
