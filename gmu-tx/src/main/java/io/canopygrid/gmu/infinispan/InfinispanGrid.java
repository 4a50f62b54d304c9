package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.infinispan.bootstrap.Bootstrap;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException;
import io.canopygrid.gmu.infinispan.bootstrap.NetworkSettings;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.DataPlace;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.OrderedStore;
import io.canopygrid.recovery.WaitListener;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.infinispan.manager.EmbeddedCacheManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes this JVM a node of a grid. Each method returns when the node is a member, has its shards,
 * and no rebalance is under way; closing the node leaves the grid and ends every thread that was
 * started.
 */
public final class InfinispanGrid {
  private static final Logger LOG = LoggerFactory.getLogger(InfinispanGrid.class);

  private InfinispanGrid() {}

  /**
   * Starts an Infinispan of this node's own and joins, or founds the grid where none of the initial
   * hosts runs. A node that was cut off for so long that the others went on without it joins again
   * by itself. Where the settings name a data directory it begins with what that has, and otherwise
   * without data.
   *
   * @throws io.canopygrid.gmu.storage.StorageException the data directory cannot be used
   * @throws JoinException where that is not possible; {@link JoinException#reason()} says why
   */
  public static GmuNode join(
      GridSettings settings, NetworkSettings network, OrderedStore.Factory stores, Fences fences) {
    return join(settings, network, stores, fences, WaitListener.NONE);
  }

  /**
   * The same.
   *
   * @param waits hears for which disks of other nodes this one waits, and who can be told that they
   *     are lost
   */
  public static GmuNode join(
      GridSettings settings,
      NetworkSettings network,
      OrderedStore.Factory stores,
      Fences fences,
      WaitListener waits) {
    Path directory = settings.dataDirectory();
    Supplier<NodeDisk> disks =
        directory == null ? null : () -> DirectoryDisk.open(directory, settings, waits);
    return join(settings, network, stores, fences, disks, null);
  }

  /**
   * As {@link #join(GridSettings, NetworkSettings, OrderedStore.Factory, Fences, WaitListener)},
   * for a node that may have a part of the grid on disk.
   *
   * @param disks opens the node's disk, again for each attempt; null: it has its data in memory
   * @param round held where there is no grid that serves; null: that of nodes with disks
   */
  static GmuNode join(
      GridSettings settings,
      NetworkSettings network,
      OrderedStore.Factory stores,
      Fences fences,
      @Nullable Supplier<NodeDisk> disks,
      @Nullable FoundingRound round) {
    boolean isStored = disks != null;
    boolean mayBeOnDisk = isStored || round != null;
    Bootstrap bootstrap =
        new Bootstrap(
            settings.name(),
            settings.joinTimeoutMillis(),
            network,
            caches -> GridCache.announce(caches, settings, mayBeOnDisk));
    RejoiningNode.Joining joining =
        (expelled, mayFound) -> {
          // A node with a disk does not found a grid alone, whatever it was expelled from.
          boolean founds = mayFound || isStored;
          long deadline =
              System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.joinTimeoutMillis());
          for (; ; ) {
            NodeDisk disk = disks == null ? null : disks.get();
            Bootstrap.Started started = start(bootstrap, founds, disk);
            GridHost host;
            try {
              host =
                  new GridHost(
                      settings, started.caches(), true, expelled, stores, fences, disk, round);
            } catch (RuntimeException e) {
              started.caches().stop();
              close(disk);
              throw e;
            }
            try {
              return host.join(founds, started.objection());
            } catch (JoinException e) {
              // The next try finds the nodes that are still there. If there is none, it may found
              // the grid.
              boolean passes = founds && e.reason().passes();
              if (!passes || System.nanoTime() - deadline > 0) {
                throw e;
              }
              LOG.warn("starts again: {}", e.getMessage());
            }
          }
        };
    Path directory = settings.dataDirectory();
    return new RejoiningNode(
        joining,
        directory == null ? DataPlace.MEMORY : new DataPlace(directory, settings.durability()));
  }

  private static Bootstrap.Started start(
      Bootstrap bootstrap, boolean founds, @Nullable NodeDisk disk) {
    try {
      return bootstrap.start(founds, disk != null && disk.grid() != null);
    } catch (RuntimeException e) {
      close(disk);
      throw e;
    }
  }

  private static void close(@Nullable NodeDisk disk) {
    if (disk != null) {
      disk.storage().storage().close();
    }
  }

  /**
   * Joins with an Infinispan that the caller runs, and does not stop it. Its JGroups channel
   * carries the grid's messages too, in a fork of their own. A node that the others have gone on
   * without stops for good: to be a member again it needs a channel of another address.
   *
   * @param caches clustered and started
   * @throws JoinException where that is not possible; {@link JoinException#reason()} says why
   * @throws IllegalArgumentException where it is not clustered, or the settings name a data
   *     directory: only with an Infinispan of its own can a node be founded from its disk
   */
  public static GmuNode on(
      EmbeddedCacheManager caches,
      GridSettings settings,
      OrderedStore.Factory stores,
      Fences fences) {
    if (!caches.getCacheManagerConfiguration().isClustered()) {
      throw new IllegalArgumentException("the cache manager is not clustered: it has no transport");
    }
    if (settings.dataDirectory() != null) {
      throw new IllegalArgumentException(
          "data.directory needs an Infinispan of the node's own: join without a cache manager");
    }
    return new GridHost(settings, caches, false, null, stores, fences).join(true, () -> null);
  }
}
