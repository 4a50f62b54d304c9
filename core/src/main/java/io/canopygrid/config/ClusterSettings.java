package io.canopygrid.config;

import static io.canopygrid.config.Setting.optional;

import io.canopygrid.Balancing;
import io.canopygrid.ClusterConfig;
import io.canopygrid.CutOff;
import io.canopygrid.Durability;
import io.canopygrid.FoundingPolicy;
import io.canopygrid.HotEntryMode;
import io.canopygrid.IndexOptions;
import io.canopygrid.Placement;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings of a node as a member of its cluster: the same names, units, ranges and defaults
 * where the node is embedded and where it is a server.
 */
public final class ClusterSettings {
  private static final ClusterConfig CLUSTER = ClusterConfig.of("canopy");

  /** An address to listen on. */
  public static final Texts ADDRESSES =
      new Texts(
          "[A-Za-z0-9._-]{1,255}|[0-9A-Fa-f:.]{2,45}(%[A-Za-z0-9._-]{1,32})?",
          "a host name or an IP address");

  /** {@code cluster.name}. */
  public static final Setting<String> NAME =
      Setting.of(
          "cluster.name",
          "--name",
          new Texts("[A-Za-z0-9._-]{1,64}", "1 to 64 letters, digits, '.', '_' or '-'"),
          CLUSTER.name(),
          "Name of the cluster; nodes of one name and the same members find each other.");

  /** {@code cluster.bindAddress}. */
  public static final Setting<String> BIND_ADDRESS =
      Setting.of(
          "cluster.bindAddress",
          "--bind",
          ADDRESSES,
          CLUSTER.bindAddress(),
          "Local address for the other nodes; by default only this machine reaches it.");

  /** {@code cluster.port}. */
  public static final Setting<Integer> PORT =
      Setting.of(
          "cluster.port",
          "--port",
          new Numbers(0, 65_535),
          CLUSTER.port(),
          "TCP port for the other nodes; 0 is any free one.");

  /** {@code cluster.watchPort}. */
  public static final Setting<Integer> WATCH_PORT =
      optional(
          "cluster.watchPort",
          "--watch-port",
          new Numbers(ClusterConfig.NODE_PORT_LEAST, 65_535),
          "cluster.port + 100",
          "TCP port at which nodes watch each other; as far from cluster.port on all nodes.");

  /** {@code cluster.exchangePort}. */
  public static final Setting<Integer> EXCHANGE_PORT =
      optional(
          "cluster.exchangePort",
          "--exchange-port",
          new Numbers(ClusterConfig.NODE_PORT_LEAST, 65_535),
          "cluster.port + 200",
          "TCP port for questions of nodes that a thread waits for; as far from cluster.port on all"
              + " nodes.");

  /** {@code cluster.members}. */
  public static final Setting<List<String>> MEMBERS =
      Setting.of(
          "cluster.members",
          "--join",
          new MemberList(),
          List.of(),
          "Where to look for nodes of the cluster, this one may be among them; nowhere: this node"
              + " is the first.");

  /** {@code cluster.found}. */
  public static final Setting<FoundingPolicy> FOUND =
      Setting.of(
          "cluster.found",
          "--found",
          new Choice<>(FoundingPolicy.class),
          CLUSTER.found(),
          "Whether this node may begin a new, empty cluster: auto, where all other members refuse"
              + " connections or most members are together; always, also where members do not"
              + " answer; never.");

  /** {@code cluster.owners}. */
  public static final Setting<Integer> OWNERS =
      Setting.of(
          "cluster.owners",
          "--owners",
          new Numbers(1, ClusterConfig.OWNERS_MAX),
          CLUSTER.owners(),
          "How many nodes have a copy of each entry, the same on all nodes; 2 survive one"
              + " failure.");

  /** {@code cluster.shards}. */
  public static final Setting<Integer> SHARDS =
      Setting.of(
          "cluster.shards",
          "--shards",
          new Numbers(1, ClusterConfig.SHARDS_MAX),
          CLUSTER.shards(),
          "Into how many parts the data is cut, the same on all nodes and fixed when the cluster"
              + " starts.");

  /** {@code cluster.joinTimeout}. */
  public static final Setting<Duration> JOIN_TIMEOUT =
      Setting.of(
          "cluster.joinTimeout",
          "--join-timeout",
          new Durations(Duration.ofSeconds(1), Duration.ofMinutes(10)),
          CLUSTER.joinTimeout(),
          "How long a node looks for the cluster, and waits for data of which nothing comes.");

  /** {@code cluster.failureTimeout}. */
  public static final Setting<Duration> FAILURE_TIMEOUT =
      Setting.of(
          "cluster.failureTimeout",
          "--failure-timeout",
          new Durations(Duration.ofSeconds(1), Duration.ofMinutes(5)),
          CLUSTER.failureTimeout(),
          "After how long a silent node is taken for dead; a closed connection shows it at once.");

  /** {@code cluster.lockTimeout}. */
  public static final Setting<Duration> LOCK_TIMEOUT =
      Setting.of(
          "cluster.lockTimeout",
          "--lock-timeout",
          new Durations(Duration.ofMillis(1), Duration.ofSeconds(60)),
          CLUSTER.lockTimeout(),
          "How long a transaction waits for locks at commit before it is refused and run again.");

  /** {@code cluster.leaveTimeout}. */
  public static final Setting<Duration> LEAVE_TIMEOUT =
      Setting.of(
          "cluster.leaveTimeout",
          "--leave-timeout",
          new Durations(Duration.ZERO, Duration.ofHours(1)),
          CLUSTER.leaveTimeout(),
          "How long a node that stops waits for its turn, and for copies of what it has of which"
              + " nothing comes; then it leaves with an error.");

  /** {@code cluster.snapshotAgeMax}. */
  public static final Setting<Duration> SNAPSHOT_AGE_MAX =
      Setting.of(
          "cluster.snapshotAgeMax",
          "--snapshot-age-max",
          new Durations(Duration.ofSeconds(1), Duration.ofHours(1)),
          CLUSTER.snapshotAgeMax(),
          "How long a transaction may run; then it is ended, and what only it could read is"
              + " dropped. Named snapshots have no such bound.");

  /** {@code cluster.retention}. */
  public static final Setting<Duration> RETENTION =
      Setting.of(
          "cluster.retention",
          "--retention",
          new Durations(Duration.ZERO, Duration.ofDays(7)),
          CLUSTER.retention(),
          "For how long states of the past can be read, the same on all nodes; all versions since"
              + " then are kept in memory.");

  /** {@code cluster.stateBytesPerSecond}. */
  public static final Setting<Long> STATE_BYTES_PER_SECOND =
      Setting.of(
          "cluster.stateBytesPerSecond",
          "--state-bytes-per-second",
          new Sizes(ClusterConfig.STATE_BYTES_PER_SECOND_MIN, 1L << 30),
          (long) CLUSTER.stateBytesPerSecond(),
          "How fast a node hands data on when it moves to another one; what is left of the network"
              + " is the transactions'.");

  /** {@code cluster.stack}. */
  public static final Setting<Path> STACK =
      optional(
          "cluster.stack",
          "--stack",
          FilePaths.FILE,
          "Canopy's own",
          "JGroups stack for other discovery, encryption or authentication between nodes.");

  /** {@code cluster.identity}. */
  public static final Setting<Path> IDENTITY =
      optional(
          "cluster.identity",
          "--cluster-identity",
          FilePaths.FILE,
          "whoever reaches the ports for nodes is let in",
          "PEM file with a key, its certificate and its authority's, by which nodes know each other:"
              + " they speak by TLS, and nobody else is let in.");

  /** {@code cluster.trust}. */
  public static final Setting<Path> TRUST =
      optional(
          "cluster.trust",
          "--cluster-trust",
          FilePaths.FILE,
          "those in cluster.identity",
          "PEM file with the certificates of the authorities whose nodes are let in.");

  /** {@code cluster.trustNetwork}. */
  public static final Setting<Boolean> TRUST_NETWORK =
      Setting.of(
          "cluster.trustNetwork",
          "--trust-network",
          new Switch(),
          CLUSTER.trustNetwork(),
          "Let other machines reach the ports for nodes without an identity: only friends are in"
              + " that network.");

  /** {@code node.name}. */
  public static final Setting<String> NODE_NAME =
      optional(
          "node.name",
          "--node-name",
          new Texts("[A-Za-z0-9._-]{1,64}", "1 to 64 letters, digits, '.', '_' or '-'"),
          "made from the machine's name at each start",
          "What people call this node: in READY, the status, logs and metrics. Each node should"
              + " have another name.");

  /** {@code node.zone}. */
  public static final Setting<String> ZONE =
      optional(
          "node.zone",
          "--zone",
          new Texts(
              "[A-Za-z0-9._-]{1,64}(/[A-Za-z0-9._-]{1,64})?",
              "a name as of node.name, or two with '/' between: the site and the rack"),
          "not known",
          "Where the machine is, as a rack or an availability zone: no two copies of an entry share"
              + " one where there are enough. All nodes say it, or none.");

  /** {@code data.directory}. */
  public static final Setting<Path> DATA_DIRECTORY =
      optional(
          "data.directory",
          "--data-directory",
          FilePaths.WRITTEN_DIRECTORY,
          "data is in memory only",
          "Where the node keeps its data on disk. Each node needs a directory of its own.");

  /** {@code data.durability}. */
  public static final Setting<Durability> DURABILITY =
      optional(
          "data.durability",
          "--durability",
          new Choice<>(Durability.class),
          "async",
          "When a commit counts as stored, the same on all nodes: async, when the operating system"
              + " has it, so that it outlives the process, or fsync, when the disk has it, so that"
              + " it outlives a power cut. Needs data.directory.");

  /** {@code data.reserve}. */
  public static final Setting<Long> DATA_RESERVE =
      optional(
          "data.reserve",
          "--data-reserve",
          new Sizes(0, ClusterConfig.DATA_RESERVE_MAX),
          "2GiB, or a tenth of the disk if that is less",
          "The room that is kept back on the disk of data.directory: where less is left, what takes"
              + " more is refused as DISK_FULL, and reads and removals go on. 0B: none. Needs"
              + " data.directory.");

  /** {@code data.memoryMax}. */
  public static final Setting<Long> MEMORY_MAX =
      optional(
          "data.memoryMax",
          "--memory-max",
          new Sizes(ClusterConfig.MEMORY_MAX_LEAST, ClusterConfig.DATA_RESERVE_MAX),
          "half of the heap",
          "The memory for entries. Values that have no room in it are on the disk of data.directory"
              + " only; keys stay in memory. Needs data.directory.");

  /** {@code data.diskTimeout}. */
  public static final Setting<Duration> DISK_TIMEOUT =
      Setting.of(
          "data.diskTimeout",
          "--disk-timeout",
          new Durations(Duration.ofSeconds(3), Duration.ofMinutes(10)),
          CLUSTER.diskTimeout(),
          "The node ends when the disk of data.directory has taken nothing for so long; after 2 s"
              + " it refuses writes as DISK_SLOW.");

  /** {@code data.rejoinGrace}. */
  public static final Setting<Duration> REJOIN_GRACE =
      Setting.of(
          "data.rejoinGrace",
          "--rejoin-grace",
          new Durations(Duration.ZERO, Duration.ofHours(1)),
          CLUSTER.rejoinGrace(),
          "When the node stops with its data.directory, its shards go to no other node for so long,"
              + " unless it is back before; they have a copy less meanwhile. 0ms: the others make"
              + " new copies at once.");

  /** {@code balance.enabled}. */
  public static final Setting<Boolean> BALANCE_ENABLED =
      Setting.of(
          "balance.enabled",
          "--balance",
          new Switch(),
          CLUSTER.balancing().enabled(),
          "Whether subtrees are split, merged and moved without being asked for.");

  /** {@code balance.subtreesPerNode}. */
  public static final Setting<Integer> SUBTREES_PER_NODE =
      Setting.of(
          "balance.subtreesPerNode",
          "--subtrees-per-node",
          new Numbers(1, CutOff.SUBTREES_PER_NODE_MAX),
          CLUSTER.balancing().subtreesPerNode(),
          "How many subtrees an index has per node at least; of cold ones above twice as many some"
              + " are merged.");

  /** {@code balance.minSubtreeEntries}. */
  public static final Setting<Integer> MIN_SUBTREE_ENTRIES =
      Setting.of(
          "balance.minSubtreeEntries",
          "--min-subtree-entries",
          new Numbers(Balancing.SUBTREE_ENTRIES_LEAST, IndexOptions.SUBTREE_ENTRIES_MOST),
          CLUSTER.balancing().minSubtreeEntries(),
          "Subtrees of so few entries are not split to have more of them.");

  /** {@code balance.movedEntriesPerSecond}. */
  public static final Setting<Integer> MOVED_ENTRIES_PER_SECOND =
      Setting.of(
          "balance.movedEntriesPerSecond",
          "--moved-entries-per-second",
          new Numbers(Balancing.MOVED_ENTRIES_LEAST, Balancing.MOVED_ENTRIES_MOST),
          CLUSTER.balancing().movedEntriesPerSecond(),
          "How many entries go from subtree to subtree to balance the load.");

  /** {@code balance.placement}. */
  public static final Setting<Placement> PLACEMENT =
      Setting.of(
          "balance.placement",
          "--placement",
          new Choice<>(Placement.class),
          CLUSTER.balancing().placement(),
          "Which node gets a subtree: even, so that the nodes have about the same load, or near,"
              + " the one in whose JVM the application is that uses it most.");

  /** {@code balance.hotEntries}. */
  public static final Setting<HotEntryMode> HOT_ENTRIES =
      Setting.of(
          "balance.hotEntries",
          "--hot-entries",
          new Choice<>(HotEntryMode.class),
          CLUSTER.balancing().hotEntries(),
          "Whether the entries that are read most are copied to the nodes whose callers read"
              + " nearest: auto, or off.");

  /** All of them, in their sections. */
  public static final SettingSchema SCHEMA =
      new SettingSchema(
          sections(),
          List.of(
              NAME,
              BIND_ADDRESS,
              PORT,
              WATCH_PORT,
              EXCHANGE_PORT,
              MEMBERS,
              FOUND,
              OWNERS,
              SHARDS,
              JOIN_TIMEOUT,
              FAILURE_TIMEOUT,
              LOCK_TIMEOUT,
              LEAVE_TIMEOUT,
              SNAPSHOT_AGE_MAX,
              RETENTION,
              STATE_BYTES_PER_SECOND,
              STACK,
              IDENTITY,
              TRUST,
              TRUST_NETWORK,
              NODE_NAME,
              ZONE,
              DATA_DIRECTORY,
              DURABILITY,
              DATA_RESERVE,
              MEMORY_MAX,
              DISK_TIMEOUT,
              REJOIN_GRACE,
              BALANCE_ENABLED,
              SUBTREES_PER_NODE,
              MIN_SUBTREE_ENTRIES,
              MOVED_ENTRIES_PER_SECOND,
              PLACEMENT,
              HOT_ENTRIES));

  private ClusterSettings() {}

  private static Map<String, String> sections() {
    Map<String, String> sections = new LinkedHashMap<>();
    sections.put("cluster", "How the node takes part in the cluster.");
    sections.put("node", "What people call the node, and where it is.");
    sections.put("data", "Where the node keeps its data.");
    sections.put("balance", "How the cluster balances itself, the same on all nodes.");
    return sections;
  }

  /** Puts values together that have been checked one by one. */
  public static ClusterConfig config(SettingValues values) {
    ClusterConfig config =
        ClusterConfig.of(values.get(NAME))
            .bindAddress(values.get(BIND_ADDRESS))
            .port(values.get(PORT))
            .members(values.get(MEMBERS))
            .found(values.get(FOUND))
            .owners(values.get(OWNERS))
            .shards(values.get(SHARDS))
            .joinTimeout(values.get(JOIN_TIMEOUT))
            .failureTimeout(values.get(FAILURE_TIMEOUT))
            .lockTimeout(values.get(LOCK_TIMEOUT))
            .leaveTimeout(values.get(LEAVE_TIMEOUT))
            .snapshotAgeMax(values.get(SNAPSHOT_AGE_MAX))
            .retention(values.get(RETENTION))
            .diskTimeout(values.get(DISK_TIMEOUT))
            .rejoinGrace(values.get(REJOIN_GRACE))
            .trustNetwork(values.get(TRUST_NETWORK))
            .stateBytesPerSecond(Math.toIntExact(values.get(STATE_BYTES_PER_SECOND)))
            .balancing(
                new Balancing(
                    values.get(BALANCE_ENABLED),
                    values.get(SUBTREES_PER_NODE),
                    values.get(MIN_SUBTREE_ENTRIES),
                    values.get(MOVED_ENTRIES_PER_SECOND),
                    values.get(PLACEMENT),
                    values.get(HOT_ENTRIES)));
    Integer watchPort = values.find(WATCH_PORT);
    config = watchPort == null ? config : config.watchPort(watchPort);
    Integer exchangePort = values.find(EXCHANGE_PORT);
    config = exchangePort == null ? config : config.exchangePort(exchangePort);
    Path stack = values.find(STACK);
    config = stack == null ? config : config.stack(stack);
    Path identity = values.find(IDENTITY);
    config = identity == null ? config : config.identity(identity);
    Path trust = values.find(TRUST);
    config = trust == null ? config : config.trust(trust);
    String nodeName = values.find(NODE_NAME);
    config = nodeName == null ? config : config.nodeName(nodeName);
    String zone = values.find(ZONE);
    config = zone == null ? config : config.zone(zone);
    Path dataDirectory = values.find(DATA_DIRECTORY);
    config = dataDirectory == null ? config : config.dataDirectory(dataDirectory);
    Durability durability = values.find(DURABILITY);
    config = durability == null ? config : config.durability(durability);
    Long dataReserve = values.find(DATA_RESERVE);
    config = dataReserve == null ? config : config.dataReserve(dataReserve);
    Long memoryMax = values.find(MEMORY_MAX);
    return memoryMax == null ? config : config.memoryMax(memoryMax);
  }
}
