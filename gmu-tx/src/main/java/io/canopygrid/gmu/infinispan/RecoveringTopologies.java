package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.stream.Collectors;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.factories.KnownComponentNames;
import org.infinispan.factories.impl.ComponentAccessor;
import org.infinispan.factories.impl.MBeanMetadata;
import org.infinispan.factories.impl.ModuleMetadataBuilder.ModuleBuilder;
import org.infinispan.factories.impl.Scopes;
import org.infinispan.factories.impl.WireContext;
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
  /**
   * A number, as in Infinispan's generated code: its enum of scopes is there at build time only.
   */
  private static final Integer GLOBAL = 0;

  private volatile @Nullable GlobalComponentRegistry components;

  /** In the place of Infinispan's: the module that is registered last decides. */
  static void register(ModuleBuilder builder) {
    String name = RecoveringTopologies.class.getName();
    String parent = LocalTopologyManagerImpl.class.getName();
    builder.registerComponentAccessor(name, List.of(), new Wiring(name, parent));
    String factory = Factory.class.getName();
    builder.registerComponentAccessor(
        factory,
        List.of(LocalTopologyManager.class.getName()),
        new FactoryAccess(factory, LocalTopologyManagerFactory.class.getName()));
    // The attributes and operations are the parent's. Without this the bean would be gone.
    builder.registerMBeanMetadata(
        name,
        MBeanMetadata.of("LocalTopologyManager", "Infinispan's topologies", parent, Scopes.GLOBAL));
  }

  @Override
  public CompletionStage<ManagerStatusResponse> handleStatusRequest(int viewId) {
    return super.handleStatusRequest(viewId).thenCompose(answer -> corrected(viewId, answer));
  }

  private CompletionStage<ManagerStatusResponse> corrected(int view, ManagerStatusResponse answer) {
    GlobalComponentRegistry registry = Objects.requireNonNull(components, "not wired");
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

  private static final class Wiring extends ComponentAccessor<RecoveringTopologies> {
    Wiring(String name, String parent) {
      super(name, GLOBAL, false, parent, List.of());
    }

    @Override
    protected void wire(RecoveringTopologies instance, WireContext context, boolean start) {
      String registry = GlobalComponentRegistry.class.getName();
      instance.components = context.get(registry, GlobalComponentRegistry.class, start);
    }
  }

  private static final class FactoryAccess extends ComponentAccessor<Factory> {
    FactoryAccess(String name, String parent) {
      super(name, GLOBAL, true, parent, List.of());
    }

    @Override
    protected Factory newInstance() {
      return new Factory();
    }
  }

  private static final class Factory extends LocalTopologyManagerFactory {
    /** Null in a cache manager without a network. */
    @Override
    public @Nullable Object construct(String componentName) {
      return super.construct(componentName) == null ? null : new RecoveringTopologies();
    }
  }
}
