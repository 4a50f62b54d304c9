package io.canopygrid.gmu.infinispan;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.infinispan.factories.EmptyConstructorFactory;
import org.infinispan.factories.impl.ModuleMetadataBuilder.ModuleBuilder;
import org.infinispan.globalstate.GlobalStateManager;
import org.infinispan.globalstate.ScopedPersistentState;
import org.infinispan.globalstate.impl.GlobalStateManagerImpl;
import org.jspecify.annotations.Nullable;

/**
 * Infinispan's store of what caches were like when they were stopped, except for the caches of
 * grids. For these it has the {@link FoundingPlacement}, as if the grid had been stopped in that
 * placement; Infinispan then waits for all its members and goes on with it. Nothing of a grid is
 * written to a file here. Thread-safe.
 */
final class FoundingStates extends GlobalStateManagerImpl {
  private final Map<String, ScopedPersistentState> states = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<FoundingPlacement>> foundings =
      new ConcurrentHashMap<>();

  /** In the place of Infinispan's. */
  static void register(ModuleBuilder builder) {
    InfinispanPart.replace(
        builder,
        GlobalStateManager.class,
        FoundingStates.class,
        (states, components) -> {},
        Factory.class,
        Factory::new);
  }

  /** A cache's grid is founded in this way; the state says the same in Infinispan's words. */
  void found(String cacheName, FoundingPlacement founding, ScopedPersistentState state) {
    states.put(cacheName, state);
    founding(cacheName).complete(founding);
  }

  /**
   * The placement with which a cache's grid is founded, as soon as this node knows it; never, where
   * the node gives up before. A node that joins and waits for it gives up by itself.
   */
  CompletableFuture<FoundingPlacement> founding(String cacheName) {
    return foundings.computeIfAbsent(cacheName, name -> new CompletableFuture<>());
  }

  /** The cache's grid is founded, or this node takes no part any more. */
  void forget(String cacheName) {
    states.remove(cacheName);
    foundings.remove(cacheName);
  }

  @Override
  public Optional<ScopedPersistentState> readScopedState(String scope) {
    return GridCacheName.isOne(scope)
        ? Optional.ofNullable(states.get(scope))
        : super.readScopedState(scope);
  }

  @Override
  public void writeScopedState(ScopedPersistentState state) {
    if (!GridCacheName.isOne(state.getScope())) {
      super.writeScopedState(state);
    }
  }

  /** Infinispan deletes it once the grid is founded: it is not true any more then. */
  @Override
  public void deleteScopedState(String scope) {
    if (GridCacheName.isOne(scope)) {
      states.remove(scope);
    } else {
      super.deleteScopedState(scope);
    }
  }

  private static final class Factory extends EmptyConstructorFactory {
    @Override
    public @Nullable Object construct(String componentName) {
      return new FoundingStates();
    }
  }
}
