package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.infinispan.Cache;
import org.infinispan.commons.IllegalLifecycleStateException;
import org.infinispan.commons.configuration.Combine;
import org.infinispan.configuration.ConfigurationManager;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.distribution.ch.impl.DefaultConsistentHash;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.globalstate.GlobalStateManager;
import org.infinispan.globalstate.ScopedPersistentState;
import org.infinispan.globalstate.impl.ScopedPersistentStateImpl;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.partitionhandling.AvailabilityMode;
import org.infinispan.remoting.transport.Address;
import org.infinispan.remoting.transport.Transport;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.infinispan.topology.CacheTopology;
import org.infinispan.topology.ClusterTopologyManager;
import org.infinispan.topology.LocalTopologyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cache of one grid, which has no entries: Infinispan decides by it who has which shard.
 * Thread-safe.
 */
final class GridCache {
  private static final Logger LOG = LoggerFactory.getLogger(GridCache.class);
  private static final long LEAVE_TIMEOUT_MILLIS = 1_000;

  private final EmbeddedCacheManager caches;
  private final boolean ownsCaches;
  private final GridSettings settings;
  private final boolean isOnDisk;
  private final String name;
  private final GlobalComponentRegistry components;
  private final LocalTopologyManager topologies;
  private final FoundingStates states;

  // Guarded by this object.
  private @Nullable Thread starting;

  private @Nullable Cache<?, ?> started;
  private boolean stopped;

  /**
   * Not started.
   *
   * @param ownsCaches whether the cache manager ends with it
   * @param isOnDisk whether nodes may have shards on disk from before they started
   */
  GridCache(
      EmbeddedCacheManager caches, boolean ownsCaches, GridSettings settings, boolean isOnDisk) {
    this.caches = caches;
    this.ownsCaches = ownsCaches;
    this.settings = settings;
    this.isOnDisk = isOnDisk;
    this.name = GridCacheName.of(settings.name());
    this.components = GlobalComponentRegistry.of(caches);
    this.topologies = components.getComponent(LocalTopologyManager.class);
    this.states = (FoundingStates) components.getComponent(GlobalStateManager.class);
  }

  String name() {
    return name;
  }

  /**
   * Lets the grid begin as it was found on disks. To be called before {@link #start}, also by a
   * node that is no member of the founding: it may lead the others.
   *
   * @return whether all members are there; false: nothing was done
   * @throws IllegalStateException where Infinispan has a store of its own, in which it knows this
   *     node by another id
   */
  boolean found(FoundingPlacement founding) {
    Transport network = components.getComponent(Transport.class);
    UUID own = topologies.getPersistentUUID();
    if (!own.equals(TopologyMapping.storedId(network.getAddress()))) {
      throw new IllegalStateException("a grid on disks needs an Infinispan without global state");
    }
    Map<NodeId, Address> present =
        network.getMembers().stream()
            .collect(Collectors.toMap(TopologyMapping::nodeId, member -> member));
    if (!present.keySet().containsAll(founding.members())) {
      return false;
    }
    ScopedPersistentState state = new FoundingState(name, founding);
    placement(founding, present).toScopedState(state, TopologyMapping::storedId);
    define();
    states.found(name, founding, state);
    return true;
  }

  /**
   * Lets an Infinispan that has not started lead the grid: its leader goes by the settings of the
   * cache that it has itself, and may be the node whose cache is the last to start. They are a
   * template yet, as Infinispan starts all other caches that it knows together with its network.
   *
   * @param isOnDisk whether nodes may have shards on disk from before they started
   */
  static void announce(EmbeddedCacheManager caches, GridSettings settings, boolean isOnDisk) {
    ConfigurationBuilder template = new ConfigurationBuilder();
    template.read(settings.cache(isOnDisk, hasZone(caches)), Combine.DEFAULT).template(true);
    caches.defineConfiguration(GridCacheName.of(settings.name()), template.build());
  }

  private static boolean hasZone(EmbeddedCacheManager caches) {
    return caches.getCacheManagerConfiguration().transport().hasTopologyInfo();
  }

  /** The cache may start from now on. */
  private void define() {
    ConfigurationManager configurations = components.getComponent(ConfigurationManager.class);
    Configuration known = configurations.getConfiguration(name, false);
    if (known == null || known.isTemplate()) {
      configurations.putConfiguration(name, settings.cache(isOnDisk, hasZone(caches)));
    }
  }

  private DefaultConsistentHash placement(
      FoundingPlacement founding, Map<NodeId, Address> present) {
    List<Address> members = founding.members().stream().map(present::get).toList();
    Map<Address, Float> capacities =
        members.stream().collect(Collectors.toMap(member -> member, member -> 1f));
    @SuppressWarnings({"unchecked", "rawtypes"}) // Infinispan takes nothing else
    List<Address>[] owners =
        founding.owners().stream()
            .map(shard -> shard.stream().map(present::get).toList())
            .toArray(List[]::new);
    return DefaultConsistentHash.create(
        settings.owners(), owners.length, members, capacities, owners);
  }

  /** Infinispan lets nodes together whose states have the same checksum. */
  private static final class FoundingState extends ScopedPersistentStateImpl {
    private final int checksum;

    FoundingState(String cacheName, FoundingPlacement founding) {
      super(cacheName);
      checksum = founding.topology().hashCode();
    }

    @Override
    public int getChecksum() {
      return checksum;
    }
  }

  /**
   * Lets Infinispan give shards the copies that they lack. It does so by itself only when a node
   * comes or goes. Does nothing at a node that does not lead.
   */
  void balance() {
    components.getComponent(ClusterTopologyManager.class).forceRebalance(name);
  }

  /**
   * Lets Infinispan do what it has put off while a member was awaited ({@link
   * FoundingLeader#isRebalancingEnabled}), for its own caches, too. Does nothing at a node that
   * does not lead.
   */
  void placeShards() {
    components.getComponent(ClusterTopologyManager.class).setRebalancingEnabled(true);
  }

  /** The members, and the nodes that join, where this node leads and knows them. */
  Set<NodeId> admitted() {
    List<Address> known =
        components.getComponent(ClusterTopologyManager.class).currentJoiners(name);
    return known == null
        ? Set.of()
        : known.stream().map(TopologyMapping::nodeId).collect(Collectors.toSet());
  }

  /** The grid has been founded by others, or this node gives up. */
  void forgetFounding() {
    states.forget(name);
  }

  /**
   * Joins; returns when the others know this node, which gets its part from then on.
   *
   * @throws RuntimeException where it fails, or was stopped meanwhile
   */
  void start() {
    synchronized (this) {
      if (stopped) {
        throw new IllegalLifecycleStateException(name + " was stopped");
      }
      Invariant.holds(starting == null, "%s starts twice", name);
      starting = Thread.currentThread();
    }
    try {
      define();
      hasStarted(caches.getCache(name));
    } catch (RuntimeException | Error e) {
      hasStarted(null);
      throw e;
    }
  }

  private synchronized void hasStarted(@Nullable Cache<?, ?> cache) {
    starting = null;
    started = cache;
    if (stopped) {
      Thread.interrupted(); // was for what has just ended
    }
    notifyAll();
  }

  /** A cache may wait for its leader, or to be founded. */
  private synchronized @Nullable Cache<?, ?> endStart() throws InterruptedException {
    stopped = true;
    if (starting != null) {
      starting.interrupt();
    }
    while (starting != null) {
      wait();
    }
    return started;
  }

  /**
   * Whether Infinispan gives a node that has just started no part before others are back. Asks the
   * node that leads.
   *
   * @throws RuntimeException where that node does not answer
   */
  boolean givesNothing() {
    Cache<?, ?> cache = started();
    return cache == null
        || cache.getAdvancedCache().getAvailability() == AvailabilityMode.DEGRADED_MODE
        || !isRebalancingEnabled();
  }

  private synchronized @Nullable Cache<?, ?> started() {
    return started;
  }

  private boolean isRebalancingEnabled() {
    try {
      return topologies.isCacheRebalancingEnabled(name);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(name + " was asked for, and its thread interrupted", e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) { // Infinispan declares no narrower one
      throw new IllegalStateException("the leader of " + name + " does not answer", e);
    }
  }

  /** The newest topology that Infinispan knows; null before the first. */
  @Nullable CacheTopology topology() {
    return topologies.getCacheTopology(name);
  }

  /** The id of the newest topology; 0 before the first. */
  long topologyId() {
    CacheTopology newest = topology();
    return newest == null ? 0 : newest.getTopologyId();
  }

  /** Whether nodes get copies in the newest topology, this node perhaps not yet. */
  boolean isRebalancing() {
    CacheTopology newest = topology();
    return newest != null && newest.getPhase() != CacheTopology.Phase.NO_REBALANCE;
  }

  /** Whether a node was a member when all was well the last time. */
  boolean countsOn(NodeId node) {
    CacheTopology stable = topologies.getStableCacheTopology(name);
    return stable != null
        && stable.getMembers().stream().map(TopologyMapping::nodeId).anyMatch(node::equals);
  }

  /** Leaves; a thread that waits for the start waits no longer. */
  void stop() {
    try {
      Cache<?, ?> cache = endStart();
      // A cache that waits to be founded is starting.
      if (cache != null
          && (cache.getStatus().allowInvocations() || cache.getStatus().startingUp())) {
        cache.stop();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.debug("{} cannot be stopped", name, e);
    }
  }

  /** Ends the network of this node's own Infinispan: the others lose it, as if it had died. */
  void vanish() {
    JGroupsTransport network = (JGroupsTransport) components.getComponent(Transport.class);
    network.getChannel().disconnect();
  }

  /** Tells Infinispan's leader once more. */
  void leaveAgain() {
    topologies.leave(name, LEAVE_TIMEOUT_MILLIS);
  }

  /** Forgets it, or ends the cache manager. */
  void remove() {
    if (ownsCaches) {
      caches.stop();
    } else {
      caches.undefineConfiguration(name);
    }
  }
}
