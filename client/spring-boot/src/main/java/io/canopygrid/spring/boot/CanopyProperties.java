package io.canopygrid.spring.boot;

import io.canopygrid.Durability;
import io.canopygrid.FoundingPolicy;
import io.canopygrid.HotEntryMode;
import io.canopygrid.Isolation;
import io.canopygrid.Placement;
import io.canopygrid.ReadFrom;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings of a handle, by the names that Canopy has for them elsewhere: the client's options,
 * those of transactions, and the sections of a node's configuration file. A setting that is not
 * given has Canopy's own default. An unknown one is an error.
 *
 * @param mode Where the data is: at servers (remote), in this application as a member of a cluster
 *     (embedded), or in this application alone, in memory and for tests (standalone).
 * @param servers Addresses of servers, host:port; one that can be reached is enough. A port that is
 *     left out is 11444. A URI, canopy://host:port,host:port, is one too. Only with mode remote.
 * @param user The user at the servers.
 * @param password The password of the user.
 * @param tls Whether connections to servers are encrypted and their certificates checked.
 * @param trust PEM file with the certificates that are trusted, instead of those of the JDK.
 * @param connectTimeout How long opening a connection may take, login included. Default 5s.
 * @param ping After how long without a word a server is asked whether it is there. Default 10s.
 * @param outcomePatience How long servers are asked what became of a commit whose connection was
 *     lost. Default 30s.
 * @param transactionManager Whether there is a CanopyTransactionManager, for Transactional methods
 *     that are not run again after a conflict.
 * @param transaction The options of transactions that give none of their own.
 * @param cluster How the node takes part in its cluster. Only with mode embedded.
 * @param node What people call the node. Only with mode embedded.
 * @param data Where the node keeps its data. Only with mode embedded.
 * @param balance How the cluster balances itself, the same on all nodes. Only with mode embedded.
 */
@ConfigurationProperties(prefix = "canopy", ignoreUnknownFields = false)
public record CanopyProperties(
    @DefaultValue("remote") Mode mode,
    @DefaultValue List<String> servers,
    @Nullable String user,
    @Nullable String password,
    @DefaultValue("false") boolean tls,
    @Nullable Path trust,
    @Nullable Duration connectTimeout,
    @Nullable Duration ping,
    @Nullable Duration outcomePatience,
    @DefaultValue("false") boolean transactionManager,
    @DefaultValue Attempts transaction,
    @DefaultValue Cluster cluster,
    @DefaultValue Node node,
    @DefaultValue Data data,
    @DefaultValue Balance balance) {

  /** Where the data is. */
  public enum Mode {
    /** At servers. */
    REMOTE,
    /** In this application, which is a member of a cluster. */
    EMBEDDED,
    /** In this application alone, in memory. */
    STANDALONE
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "CanopyProperties[mode=" + mode + ", servers=" + servers + ", user=" + user + "]";
  }

  /**
   * The options of transactions that give none of their own.
   *
   * @param timeout Time for all attempts together. Default 10s.
   * @param maxAttempts How often a body is run at most. Default 50.
   * @param isolation What it may assume about other transactions. Default update-serializable.
   * @param readFrom Which copies of the data it reads. Default primary.
   */
  public record Attempts(
      @Nullable Duration timeout,
      @Nullable Integer maxAttempts,
      @Nullable Isolation isolation,
      @Nullable ReadFrom readFrom) {}

  /**
   * The part that the node takes in its cluster.
   *
   * @param name Name of the cluster; nodes of one name and the same members find each other. Must
   *     be given.
   * @param bindAddress Local address for the other nodes. Default 127.0.0.1, which only this
   *     machine reaches.
   * @param port TCP port for the other nodes; 0 is any free one. Default 7800.
   * @param watchPort TCP port at which nodes watch each other; as far from port on all nodes.
   *     Default port + 100.
   * @param exchangePort TCP port for questions that a thread waits for; as far from port on all
   *     nodes. Default port + 200.
   * @param members Where to look for nodes of the cluster, host:port; this one may be among them.
   *     Nowhere: this node is the first.
   * @param found Whether this node may begin a new, empty cluster. Default auto.
   * @param owners How many nodes have a copy of each entry, the same on all nodes. Default 2.
   * @param shards Into how many parts the data is cut, the same on all nodes. Default 256.
   * @param joinTimeout How long a node looks for the cluster, and waits for data of which nothing
   *     comes. Default 30s.
   * @param failureTimeout After how long a silent node is taken for dead. Default 10s.
   * @param lockTimeout How long a transaction waits for locks at commit. Default 50ms.
   * @param leaveTimeout How long a node that stops waits until it can leave without loss. Default
   *     30s.
   * @param snapshotAgeMax How long a transaction may run. Default 5m.
   * @param retention For how long states of the past can be read, the same on all nodes. Default
   *     0s.
   * @param stateBytesPerSecond How fast a node hands data on when it moves to another one. Default
   *     64MB.
   * @param stack File of a JGroups stack to use instead of Canopy's own.
   * @param identity PEM file with a key, its certificate and its authority's, by which nodes know
   *     each other.
   * @param trust PEM file with the certificates of the authorities whose nodes are let in. Default
   *     those in identity.
   * @param trustNetwork Let other machines reach the ports for nodes without an identity. Default
   *     false.
   */
  public record Cluster(
      @Nullable String name,
      @Nullable String bindAddress,
      @Nullable Integer port,
      @Nullable Integer watchPort,
      @Nullable Integer exchangePort,
      @Nullable List<String> members,
      @Nullable FoundingPolicy found,
      @Nullable Integer owners,
      @Nullable Integer shards,
      @Nullable Duration joinTimeout,
      @Nullable Duration failureTimeout,
      @Nullable Duration lockTimeout,
      @Nullable Duration leaveTimeout,
      @Nullable Duration snapshotAgeMax,
      @Nullable Duration retention,
      @Nullable DataSize stateBytesPerSecond,
      @Nullable Path stack,
      @Nullable Path identity,
      @Nullable Path trust,
      @Nullable Boolean trustNetwork) {}

  /**
   * The node itself.
   *
   * @param name The name in logs and in the status. Default made from the machine's name at each
   *     start.
   * @param zone Where the machine is, as a rack or an availability zone: no two copies share one.
   */
  public record Node(@Nullable String name, @Nullable String zone) {}

  /**
   * Where the node keeps its data.
   *
   * @param directory The directory on disk, one for each node; needs canopy-storage-rocksdb.
   *     Default: data is in memory only.
   * @param durability When a commit counts as stored, the same on all nodes. Default async.
   * @param reserve The room that is kept back on the disk. Default 2GB, or a tenth of the disk.
   * @param memoryMax The memory for entries; values that have no room are on the disk only.
   *     Default: half of the heap.
   * @param diskTimeout The node ends when the disk has taken nothing for so long. Default 10s.
   * @param rejoinGrace When the node stops with its directory, its shards go to no other node for
   *     so long. Default 2m.
   */
  public record Data(
      @Nullable Path directory,
      @Nullable Durability durability,
      @Nullable DataSize reserve,
      @Nullable DataSize memoryMax,
      @Nullable Duration diskTimeout,
      @Nullable Duration rejoinGrace) {}

  /**
   * The balance of the cluster.
   *
   * @param enabled Whether anything is changed without being asked for. Default true.
   * @param subtreesPerNode How many subtrees an index has per node at least. Default 8.
   * @param minSubtreeEntries Subtrees of so few entries are not split to have more. Default 128.
   * @param movedEntriesPerSecond How many entries go from subtree to subtree. Default 20000.
   * @param placement Which node gets a subtree. Default even.
   * @param hotEntries Whether entries that are read most have more copies. Default off.
   */
  public record Balance(
      @Nullable Boolean enabled,
      @Nullable Integer subtreesPerNode,
      @Nullable Integer minSubtreeEntries,
      @Nullable Integer movedEntriesPerSecond,
      @Nullable Placement placement,
      @Nullable HotEntryMode hotEntries) {}
}
