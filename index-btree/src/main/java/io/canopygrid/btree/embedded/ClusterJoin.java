package io.canopygrid.btree.embedded;

import io.canopygrid.CanopyException;
import io.canopygrid.ClusterConfig;
import io.canopygrid.Durability;
import io.canopygrid.ErrorCode;
import io.canopygrid.HotEntryMode;
import io.canopygrid.btree.subtree.SubtreeFences;
import io.canopygrid.btree.tree.BPlusTree;
import io.canopygrid.gmu.infinispan.GridSettings;
import io.canopygrid.gmu.infinispan.InfinispanGrid;
import io.canopygrid.gmu.infinispan.bootstrap.Bootstrap;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException;
import io.canopygrid.gmu.infinispan.bootstrap.Libraries;
import io.canopygrid.gmu.infinispan.bootstrap.NetworkSettings;
import io.canopygrid.gmu.infinispan.tls.NodeIdentity;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.NodeSettings;
import io.canopygrid.gmu.protocol.ProtocolConfig;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.directory.DirectoryRoom;
import io.canopygrid.gmu.storage.engine.OpenDisk;
import io.canopygrid.recovery.WaitListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.infinispan.manager.EmbeddedCacheManager;
import org.jspecify.annotations.Nullable;

/** Makes a node a member of the cluster that a configuration describes; errors get their code. */
public final class ClusterJoin {
  private static final int PORT_TRIES_MAX = 20;

  private ClusterJoin() {}

  /** Why a JGroups stack file cannot be used, in words; null: it can. Starts nothing. */
  public static @Nullable String stackProblem(Path stack) {
    return Bootstrap.stackProblem(stack);
  }

  /**
   * Why an identity cannot be used, in words; null: it can.
   *
   * @param trust null: the authorities are in the identity
   */
  public static @Nullable String identityProblem(Path identity, @Nullable Path trust) {
    try {
      NodeIdentity.read(identity, Optional.ofNullable(trust));
      return null;
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  /**
   * Why a node cannot keep its data in a directory, in words; null: it can. Changes nothing. A
   * directory that is in use is right: its user may be the node that is to be started again.
   *
   * @param durability null: the one that a node has where none is given
   */
  public static @Nullable String dataProblem(
      Path directory, int shards, @Nullable Durability durability) {
    try {
      OpenDisk.check(directory, shards, durability == null ? Durability.ASYNC : durability);
      return null;
    } catch (StorageException e) {
      return e.reason() == StorageException.Reason.IN_USE ? null : e.getMessage();
    }
  }

  /**
   * The problem of a reserve that a disk could never have; null: there is none.
   *
   * @param reserve in bytes
   */
  public static @Nullable String reserveProblem(Path directory, long reserve) {
    long total = DirectoryRoom.of(directory).total();
    return total == 0 || reserve < total
        ? null
        : String.format(
            Locale.ROOT,
            "is more than the disk of '%s' has, which is %d MiB: nothing could be put",
            directory,
            total >> 20);
  }

  /** Joins with an Infinispan that belongs to the node. */
  public static GmuNode alone(ClusterConfig config) {
    return alone(config, WaitListener.NONE);
  }

  /**
   * The same.
   *
   * @param waits hears for which disks of other nodes this one waits, and who can be told that they
   *     are lost
   */
  static GmuNode alone(ClusterConfig config, WaitListener waits) {
    try {
      return InfinispanGrid.join(
          grid(config), network(config), BPlusTree.factory(), new SubtreeFences(), waits);
    } catch (JoinException e) {
      throw coded(e);
    } catch (StorageException e) {
      throw coded(e);
    } catch (CancellationException e) {
      throw interrupted(e);
    } catch (LinkageError e) {
      throw new CanopyException(ErrorCode.CONFIG_INVALID, Libraries.unfit(e), e);
    }
  }

  /** Joins with an Infinispan that the caller runs. */
  static GmuNode on(EmbeddedCacheManager caches, ClusterConfig config) {
    if (config.identity().isPresent()) {
      throw new CanopyException(
          ErrorCode.CONFIG_INVALID,
          "identity is given, and the Infinispan that the node joins with has a network of its own:"
              + " protect that one, and leave identity out");
    }
    try {
      return InfinispanGrid.on(caches, grid(config), BPlusTree.factory(), new SubtreeFences());
    } catch (JoinException e) {
      throw coded(e);
    } catch (StorageException e) {
      throw coded(e);
    } catch (CancellationException e) {
      throw interrupted(e);
    } catch (IllegalArgumentException e) {
      throw new CanopyException(ErrorCode.CONFIG_INVALID, String.valueOf(e.getMessage()), e);
    }
  }

  static GridSettings grid(ClusterConfig config) {
    ProtocolConfig protocol =
        ProtocolConfig.DEFAULT
            .withLockTimeoutNanos(config.lockTimeout().toNanos())
            .withSnapshotAgeMaxNanos(config.snapshotAgeMax().toNanos())
            .withEntryBytesMax(config.memoryMax().orElse(Runtime.getRuntime().maxMemory() / 2))
            .withHotEntries(config.balancing().hotEntries() == HotEntryMode.AUTO);
    NodeSettings node =
        new NodeSettings(
            protocol, NodeSettings.DEFAULT.tickMillis(), NodeSettings.DEFAULT.drainMillis());
    return new GridSettings(
        config.name(),
        config.shards(),
        config.owners(),
        config.joinTimeout().toMillis(),
        config.stateBytesPerSecond(),
        node,
        config.leaveTimeout().toMillis(),
        config.dataDirectory().orElse(null),
        config.durability().orElse(Durability.ASYNC),
        config.dataReserve().orElse(null),
        config.diskTimeout().toMillis(),
        config.rejoinGrace().toMillis());
  }

  private static NetworkSettings network(ClusterConfig config) {
    List<String> members = config.members().stream().map(ClusterJoin::hostAndPort).toList();
    return new NetworkSettings(
        config.bindAddress(),
        portOf(config),
        config.watchPort(),
        config.exchangePort(),
        members,
        config.failureTimeout().toMillis(),
        config.stack(),
        config.found(),
        config.nodeName(),
        config.identity().map(file -> identity(file, config.trust())),
        config.trustNetwork(),
        config.zone());
  }

  private static NodeIdentity identity(Path identity, Optional<Path> trust) {
    try {
      return NodeIdentity.read(identity, trust);
    } catch (IOException e) {
      throw new CanopyException(
          ErrorCode.CONFIG_INVALID, "identity cannot be used: " + e.getMessage(), e);
    }
  }

  private static String hostAndPort(InetSocketAddress member) {
    return member.getHostString() + ":" + member.getPort();
  }

  /** The configured port, or one that is free now together with the ports derived from it. */
  private static int portOf(ClusterConfig config) {
    if (config.port() != 0) {
      return config.port();
    }
    IOException last = new IOException("never tried");
    for (int i = 0; i < PORT_TRIES_MAX; i++) {
      try {
        InetAddress here = InetAddress.getByName(config.bindAddress());
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, here)) {
          port = socket.getLocalPort();
        }
        boolean hasAll = port + NetworkSettings.EXCHANGE_PORT_OFFSET <= NetworkSettings.PORT_MAX;
        if (hasAll && isApart(port, config.members())) {
          for (int taken : NetworkSettings.portsOf(port).toArray()) {
            new ServerSocket(taken, 1, here).close();
          }
          return port;
        }
      } catch (IOException e) {
        last = e;
      }
    }
    throw new CanopyException(
        ErrorCode.CONFIG_INVALID,
        "no port can be opened at bindAddress '" + config.bindAddress() + "': " + last.getMessage(),
        last);
  }

  private static boolean isApart(int port, List<InetSocketAddress> members) {
    return members.stream()
        .flatMapToInt(member -> NetworkSettings.portsOf(member.getPort()))
        .noneMatch(taken -> NetworkSettings.portsOf(port).anyMatch(own -> own == taken));
  }

  /** Why a node has stopped for good: coded, unless it was in a state that must not be. */
  static Throwable failure(Throwable why) {
    if (why instanceof JoinException join) {
      return coded(join);
    }
    return why instanceof StorageException disk ? coded(disk) : why;
  }

  private static CanopyException coded(JoinException e) {
    if (e.getCause() instanceof StorageException disk) {
      return coded(disk);
    }
    ErrorCode code =
        switch (e.reason()) {
          case PORT_IN_USE -> ErrorCode.PORT_IN_USE;
          case SETTINGS_DIFFER, PORTS_OVERLAP, STACK_UNUSABLE, UNPROTECTED ->
              ErrorCode.CONFIG_INVALID;
          case GRID_REPLACED -> ErrorCode.GRID_CHANGED;
          case GRID_DEGRADED, DISKS_MISSING -> ErrorCode.SHARD_UNAVAILABLE;
          case TIMED_OUT, LEFT_ALONE, EXPELLED, FAILED -> ErrorCode.NOT_CONNECTED;
        };
    return new CanopyException(code, String.valueOf(e.getMessage()), e);
  }

  /** Settings that could be corrected are wrong settings; all else is about the disk. */
  static CanopyException coded(StorageException e) {
    ErrorCode code =
        switch (e.reason()) {
          case IN_USE, NOT_ACCESSIBLE, FOREIGN, OTHER_FORMAT, NO_ENGINE -> ErrorCode.CONFIG_INVALID;
          case DAMAGED, FULL, FAILED -> ErrorCode.DISK_UNUSABLE;
        };
    return new CanopyException(code, String.valueOf(e.getMessage()), e);
  }

  private static CanopyException interrupted(CancellationException e) {
    return new CanopyException(ErrorCode.INTERRUPTED, String.valueOf(e.getMessage()), e);
  }
}
