package io.canopygrid.gmu.infinispan;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.infinispan.configuration.ConfigurationManager;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.global.GlobalConfiguration;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.factories.KnownComponentNames;
import org.infinispan.factories.impl.ModuleMetadataBuilder;
import org.infinispan.lifecycle.ModuleLifecycle;
import org.infinispan.notifications.cachelistener.CacheNotifier;

/**
 * Makes Infinispan tell a {@link TopologyInstaller} of its cache's topologies from the very first
 * one on, which comes before the cache can be asked for, ask it what there is to go on with ({@link
 * RecoveringTopologies}), and found grids from disks ({@link FoundingStates}, {@link
 * FoundingLeader}). Found by Infinispan through the service loader.
 *
 * <p>Infinispan generates such a class for a module by an annotation processor; this one has hardly
 * any components to describe, so it is written by hand.
 */
public final class GridModule implements ModuleMetadataBuilder {
  @Override
  public String getModuleName() {
    return "canopy-gmu";
  }

  @Override
  public Collection<String> getRequiredDependencies() {
    return List.of("core");
  }

  @Override
  public Collection<String> getOptionalDependencies() {
    return List.of();
  }

  @Override
  public ModuleLifecycle newModuleLifecycle() {
    return new Lifecycle();
  }

  @Override
  public void registerMetadata(ModuleBuilder builder) {
    RecoveringTopologies.register(builder);
    FoundingStates.register(builder);
    FoundingLeader.register(builder);
  }

  private static final class Lifecycle implements ModuleLifecycle {
    private final GridHosts hosts = new GridHosts();

    @Override
    public void cacheManagerStarting(GlobalComponentRegistry registry, GlobalConfiguration config) {
      registry.registerComponent(hosts, GridHosts.class);
      GridCacheName.defineAny(registry.getComponent(ConfigurationManager.class));
    }

    @Override
    public void cacheStarting(ComponentRegistry registry, Configuration config, String cacheName) {
      TopologyInstaller topologies = hosts.ofCache(cacheName);
      if (topologies != null) {
        ExecutorService infinispans =
            registry
                .getGlobalComponentRegistry()
                .getComponent(ExecutorService.class, KnownComponentNames.NON_BLOCKING_EXECUTOR);
        registry
            .getComponent(CacheNotifier.class)
            .addListener(new TopologyListener(topologies, infinispans));
      }
    }
  }
}
