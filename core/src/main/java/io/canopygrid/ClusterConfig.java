package io.canopygrid;

import static io.canopygrid.ConfigChecks.require;
import static io.canopygrid.ConfigChecks.requireMillis;
import static io.canopygrid.ConfigChecks.requireName;
import static io.canopygrid.ConfigChecks.requirePort;
import static io.canopygrid.ConfigChecks.requireRange;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * The part that a node takes in a cluster. Immutable and thread-safe: each method with an argument
 * returns a changed copy. Values out of range are {@link ErrorCode#CONFIG_INVALID} at once.
 *
 * <p>{@code io.canopygrid.config.ClusterConfigFile} reads it from a file.
 *
 * @param name nodes of one name and the same members find each other; 1 to {@value #NAME_MAX}
 *     letters, digits, {@code . _ -}
 * @param bindAddress the local address or host name to listen on; by default only this machine
 *     reaches it
 * @param port the TCP port to listen on; 0: any free one
 * @param watchPort the port at which nodes watch each other, {@value #NODE_PORT_LEAST} or more, as
 *     far from {@code port} on all nodes; 0: {@code port} + 100
 * @param exchangePort the port for questions that a thread waits for, the same way; 0: {@code port}
 *     + 200
 * @param members where to look for nodes of the cluster, this one may be among them; empty:
 *     nowhere, this node is the first
 * @param owners how many nodes have a copy of each entry, 1 to {@value #OWNERS_MAX}; 2 survives one
 *     failure. The same on all nodes
 * @param shards into how many parts the data is cut, 1 to {@value #SHARDS_MAX}, several for each
 *     node that the cluster will ever have. The same on all nodes, fixed when the cluster starts
 * @param joinTimeout how long to look for the cluster, and to wait for data of which nothing comes,
 *     1 s to 10 min
 * @param failureTimeout after how long a silent node is taken for dead, 1 s to 5 min; a closed
 *     connection shows it at once
 * @param lockTimeout how long a transaction waits for locks at commit before it is refused and run
 *     again, 1 ms to 60 s
 * @param leaveTimeout how long a node that is closed waits until it can leave without loss, and for
 *     copies of which nothing comes, 0 to 1 h; then it leaves, and says so
 * @param snapshotAgeMax how long a transaction may run, 1 s to 1 h; then it is ended as {@link
 *     ErrorCode#SNAPSHOT_TOO_OLD}, so that old versions are not kept for it any longer. Named
 *     snapshots have no such bound
 * @param retention for how long states of the past can be read ({@link TransactionOptions#asOf}), 0
 *     to 7 days; 0: not at all
 * @param stateBytesPerSecond how fast a node hands data on when it moves to another one, {@value
 *     #STATE_BYTES_PER_SECOND_MIN} (1 MiB/s) or more: what is left of the network is the
 *     transactions'
 * @param stack a JGroups stack file to use instead of Canopy's own, for other discovery, encryption
 *     or authentication; address, port, members and failureTimeout are still set where it has the
 *     protocols for them ({@code TCP}, {@code TCPPING}, {@code FD_ALL3}, {@code VERIFY_SUSPECT2})
 * @param balancing how indexes are cut and placed
 * @param found whether this node may begin a new, empty cluster
 * @param nodeName what people call this node, in logs and in the status: as {@link #name}; empty: a
 *     name that is made from the machine's at each start. It need not be the same at each start,
 *     nor unlike others, though it should
 * @param dataDirectory where the node keeps its data on disk; each node needs a directory of its
 *     own, which is made where it is missing. Empty: data is in memory only. Needs the module
 *     {@code canopy-storage-rocksdb} on the class path
 * @param durability when a commit counts as stored; empty: {@link Durability#ASYNC} where there is
 *     a data directory. The same on all nodes. Can be given with {@code dataDirectory} only
 * @param dataReserve the bytes that are kept back on the disk of {@code dataDirectory}, 0 to
 *     {@value #DATA_RESERVE_MAX} (1 TiB): where less is left, what takes more room is refused as
 *     {@link ErrorCode#DISK_FULL}. Empty: 2 GiB, or a tenth of the disk if that is less; 0: nothing
 *     is kept back
 * @param memoryMax the bytes that the entries of a node with a {@code dataDirectory} may take in
 *     memory, {@value #MEMORY_MAX_LEAST} (16 MiB) to {@value #DATA_RESERVE_MAX}: values that have
 *     no room are on the disk only. Empty: half of the heap
 * @param diskTimeout a node ends when the disk of {@code dataDirectory} has taken nothing for so
 *     long, 3 s to 10 min: all shards that it has a copy of wait for it. Without a data directory
 *     it says nothing
 * @param rejoinGrace when this node stops and has its data in {@code dataDirectory}, its shards go
 *     to no other node for so long, 0 to 1 h, unless it is back before or another node comes or
 *     goes. They have a copy less meanwhile. 0: the others make new copies at once
 * @param identity a PEM file with a private key, its certificate and those of the authorities that
 *     signed it, by which the nodes of the cluster know each other: all that they say goes by TLS,
 *     and nobody else is let in. {@code canopy cert cluster} makes one, which all nodes share.
 *     Empty: whoever reaches the ports for nodes is let in, unless {@code stack} sees to that
 * @param trust a PEM file with the certificates of the authorities whose nodes are let in; empty:
 *     those in {@code identity}
 * @param trustNetwork whether a node without an identity may listen where other machines reach it
 * @param zone where this node's machine is: the name of what fails as a whole, as a rack or an
 *     availability zone; or {@code site/rack}, where copies are to be at different sites first. No
 *     two copies of an entry are in one zone where there are enough zones. All nodes say it, or
 *     none
 */
public record ClusterConfig(
    String name,
    String bindAddress,
    int port,
    int watchPort,
    int exchangePort,
    List<InetSocketAddress> members,
    int owners,
    int shards,
    Duration joinTimeout,
    Duration failureTimeout,
    Duration lockTimeout,
    Duration leaveTimeout,
    Duration snapshotAgeMax,
    Duration retention,
    int stateBytesPerSecond,
    Optional<Path> stack,
    Balancing balancing,
    FoundingPolicy found,
    Optional<String> nodeName,
    Optional<Path> dataDirectory,
    Optional<Durability> durability,
    Optional<Long> dataReserve,
    Optional<Long> memoryMax,
    Duration diskTimeout,
    Duration rejoinGrace,
    Optional<Path> identity,
    Optional<Path> trust,
    boolean trustNetwork,
    Optional<String> zone) {
  /** Longest {@link #name}. */
  public static final int NAME_MAX = 64;

  /** Greatest {@link #owners}. */
  public static final int OWNERS_MAX = 8;

  /** Greatest {@link #shards}. */
  public static final int SHARDS_MAX = 4096;

  /** Longest list of {@link #members}. */
  public static final int MEMBERS_MAX = 1000;

  /** Least {@link #stateBytesPerSecond}. */
  public static final int STATE_BYTES_PER_SECOND_MIN = 1 << 20;

  /** Greatest {@link #dataReserve}. */
  public static final long DATA_RESERVE_MAX = 1L << 40;

  /** Least {@link #memoryMax}. */
  public static final long MEMORY_MAX_LEAST = 16L << 20;

  /** Least {@link #watchPort} and {@link #exchangePort}. */
  public static final int NODE_PORT_LEAST = 1_024;

  /** The {@link #port} unless another is given. */
  public static final int DEFAULT_PORT = 7800;

  private static final int WATCH_OFFSET = 100;
  private static final int EXCHANGE_OFFSET = 200;

  private static final long RETENTION_MILLIS_MAX = 7L * 24 * 3_600_000;

  private static final String NAMED = "[A-Za-z0-9._-]{1," + NAME_MAX + "}";
  private static final Pattern ZONE = Pattern.compile(NAMED + "(/" + NAMED + ")?");
  private static final Pattern NAME = Pattern.compile(NAMED);

  /**
   * Checks every component.
   *
   * @throws CanopyException {@link ErrorCode#CONFIG_INVALID}
   */
  public ClusterConfig {
    Arguments.notNull("name", name);
    Arguments.notNull("bindAddress", bindAddress);
    members = List.copyOf(Arguments.notNull("members", members));
    requireName("name", name, NAME);
    require(MemberAddress.isHost(bindAddress), "not an address: bindAddress='" + bindAddress + "'");
    requireRange("port", port, 0, 65_535);
    requirePort("watchPort", watchPort, port);
    requirePort("exchangePort", exchangePort, port);
    requireRange("owners", owners, 1, OWNERS_MAX);
    requireRange("shards", shards, 1, SHARDS_MAX);
    requireRange("number of members", members.size(), 0, MEMBERS_MAX);
    requireMillis("joinTimeout", joinTimeout, 1_000, 600_000);
    requireMillis("failureTimeout", failureTimeout, 1_000, 300_000);
    requireMillis("lockTimeout", lockTimeout, 1, 60_000);
    requireMillis("leaveTimeout", leaveTimeout, 0, 3_600_000);
    requireMillis("snapshotAgeMax", snapshotAgeMax, 1_000, 3_600_000);
    requireMillis("retention", retention, 0, RETENTION_MILLIS_MAX);
    requireRange(
        "stateBytesPerSecond", stateBytesPerSecond, STATE_BYTES_PER_SECOND_MIN, Integer.MAX_VALUE);
    Arguments.notNull("stack", stack);
    int watched = watchPort == 0 && stack.isEmpty() ? port + WATCH_OFFSET : watchPort;
    int asked = exchangePort == 0 && stack.isEmpty() ? port + EXCHANGE_OFFSET : exchangePort;
    require(
        watched == 0 || watched != asked,
        "watchPort and exchangePort must differ: both are " + watched);
    Arguments.notNull("balancing", balancing);
    Arguments.notNull("found", found);
    Arguments.notNull("nodeName", nodeName);
    nodeName.ifPresent(given -> requireName("nodeName", given, NAME));
    Arguments.notNull("dataDirectory", dataDirectory);
    Arguments.notNull("durability", durability);
    require(
        durability.isEmpty() || dataDirectory.isPresent(),
        "durability is given without a dataDirectory: give the directory first");
    require(
        owners > 1 || dataDirectory.isEmpty(),
        "owners must be 2 or more with a dataDirectory: with 1, others would take the shards of a"
            + " node that is down for empty ones");
    Arguments.notNull("dataReserve", dataReserve);
    requireRange("dataReserve", dataReserve.orElse(0L), 0, DATA_RESERVE_MAX);
    Arguments.notNull("memoryMax", memoryMax);
    requireRange(
        "memoryMax", memoryMax.orElse(MEMORY_MAX_LEAST), MEMORY_MAX_LEAST, DATA_RESERVE_MAX);
    requireMillis("diskTimeout", diskTimeout, 3_000, 600_000);
    requireMillis("rejoinGrace", rejoinGrace, 0, 3_600_000);
    Arguments.notNull("identity", identity);
    Arguments.notNull("trust", trust);
    require(
        trust.isEmpty() || identity.isPresent(),
        "trust is given without an identity: give the identity first");
    require(!trustNetwork || identity.isEmpty(), "trustNetwork and identity exclude each other");
    Arguments.notNull("zone", zone);
    require(
        zone.isEmpty() || ZONE.matcher(zone.get()).matches(),
        "zone must be 1 to "
            + NAME_MAX
            + " letters, digits, '.', '_' or '-', or two such names with a '/' between: zone='"
            + zone.orElse("")
            + "'");
  }

  /** The first node of a cluster on this machine: port 7800, 2 owners, 256 shards, 64 MiB/s. */
  public static ClusterConfig of(String name) {
    return new ClusterConfig(
        name,
        "127.0.0.1",
        DEFAULT_PORT,
        0,
        0,
        List.of(),
        2,
        256,
        Duration.ofSeconds(30),
        Duration.ofSeconds(10),
        Duration.ofMillis(50),
        Duration.ofSeconds(30),
        Duration.ofMinutes(5),
        Duration.ZERO,
        64 << 20,
        Optional.empty(),
        Balancing.DEFAULTS,
        FoundingPolicy.AUTO,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Duration.ofSeconds(10),
        Duration.ofMinutes(2),
        Optional.empty(),
        Optional.empty(),
        false,
        Optional.empty());
  }

  /** This configuration under another name. */
  public ClusterConfig name(String value) {
    return with(copy -> copy.name = value);
  }

  /** This configuration with another address to listen on. */
  public ClusterConfig bindAddress(String value) {
    return with(copy -> copy.bindAddress = value);
  }

  /** This configuration with another port to listen on. */
  public ClusterConfig port(int value) {
    return with(copy -> copy.port = value);
  }

  /** This configuration with another port at which nodes watch each other. */
  public ClusterConfig watchPort(int value) {
    return with(copy -> copy.watchPort = value);
  }

  /** This configuration with another port for questions that a thread waits for. */
  public ClusterConfig exchangePort(int value) {
    return with(copy -> copy.exchangePort = value);
  }

  /** This configuration with other members: {@code host:port}, {@code host}, {@code [::1]:port}. */
  public ClusterConfig members(String... hostsAndPorts) {
    return members(Arrays.asList(hostsAndPorts));
  }

  /** The same with a list. */
  public ClusterConfig members(List<String> hostsAndPorts) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (String member : Arguments.notNull("members", hostsAndPorts)) {
      addresses.add(MemberAddress.parse(Arguments.notNull("member", member), DEFAULT_PORT));
    }
    return with(copy -> copy.members = addresses);
  }

  /** This configuration with another number of copies. */
  public ClusterConfig owners(int value) {
    return with(copy -> copy.owners = value);
  }

  /** This configuration with another number of shards. */
  public ClusterConfig shards(int value) {
    return with(copy -> copy.shards = value);
  }

  /** This configuration with another time to join. */
  public ClusterConfig joinTimeout(Duration value) {
    return with(copy -> copy.joinTimeout = value);
  }

  /** This configuration with another time of silence before a node is taken for dead. */
  public ClusterConfig failureTimeout(Duration value) {
    return with(copy -> copy.failureTimeout = value);
  }

  /** This configuration with another time to wait for locks. */
  public ClusterConfig lockTimeout(Duration value) {
    return with(copy -> copy.lockTimeout = value);
  }

  /** This configuration with another time to wait until the node can leave without loss. */
  public ClusterConfig leaveTimeout(Duration value) {
    return with(copy -> copy.leaveTimeout = value);
  }

  /** This configuration with another time for which a transaction may run. */
  public ClusterConfig snapshotAgeMax(Duration value) {
    return with(copy -> copy.snapshotAgeMax = value);
  }

  /** This configuration with another time for which states of the past are kept. */
  public ClusterConfig retention(Duration value) {
    return with(copy -> copy.retention = value);
  }

  /** This configuration with another pace at which data moves. */
  public ClusterConfig stateBytesPerSecond(int value) {
    return with(copy -> copy.stateBytesPerSecond = value);
  }

  /** This configuration with a JGroups stack file instead of Canopy's own. */
  public ClusterConfig stack(Path value) {
    return with(copy -> copy.stack = Optional.of(Arguments.notNull("stack", value)));
  }

  /** This configuration with another balance. */
  public ClusterConfig balancing(Balancing value) {
    return with(copy -> copy.balancing = value);
  }

  /** This configuration with another word on whether this node may begin a new, empty cluster. */
  public ClusterConfig found(FoundingPolicy value) {
    return with(copy -> copy.found = value);
  }

  /** This configuration with another name of the node, for people. */
  public ClusterConfig nodeName(String value) {
    return with(copy -> copy.nodeName = Optional.of(Arguments.notNull("nodeName", value)));
  }

  /** This configuration with a directory that the node keeps its data in. */
  public ClusterConfig dataDirectory(Path value) {
    return with(
        copy -> copy.dataDirectory = Optional.of(Arguments.notNull("dataDirectory", value)));
  }

  /** This configuration, which has a data directory, with another durability. */
  public ClusterConfig durability(Durability value) {
    return with(copy -> copy.durability = Optional.of(Arguments.notNull("durability", value)));
  }

  /** This configuration, which has a data directory, with so many bytes kept back on its disk. */
  public ClusterConfig dataReserve(long value) {
    return with(copy -> copy.dataReserve = Optional.of(value));
  }

  /** This configuration, which has a data directory, with so many bytes of memory for entries. */
  public ClusterConfig memoryMax(long value) {
    return with(copy -> copy.memoryMax = Optional.of(value));
  }

  /** This configuration with another time for which a disk may take nothing. */
  public ClusterConfig diskTimeout(Duration value) {
    return with(copy -> copy.diskTimeout = value);
  }

  /** This configuration with another time for which others do without new copies. */
  public ClusterConfig rejoinGrace(Duration value) {
    return with(copy -> copy.rejoinGrace = value);
  }

  /** This configuration with an identity by which nodes know each other. */
  public ClusterConfig identity(Path value) {
    return with(copy -> copy.identity = Optional.of(Arguments.notNull("identity", value)));
  }

  /** This configuration, which has an identity, with other authorities. */
  public ClusterConfig trust(Path value) {
    return with(copy -> copy.trust = Optional.of(Arguments.notNull("trust", value)));
  }

  /** This configuration with another word on whether only friends are in the network. */
  public ClusterConfig trustNetwork(boolean value) {
    return with(copy -> copy.trustNetwork = value);
  }

  /** This configuration with the zone in which this node's machine is. */
  public ClusterConfig zone(String value) {
    return with(copy -> copy.zone = Optional.of(Arguments.notNull("zone", value)));
  }

  private ClusterConfig with(Consumer<Copy> change) {
    Copy copy = new Copy();
    change.accept(copy);
    return copy.checked();
  }

  /** The components of this one while one of them is replaced. */
  private final class Copy {
    private String name = ClusterConfig.this.name;
    private String bindAddress = ClusterConfig.this.bindAddress;
    private int port = ClusterConfig.this.port;
    private int watchPort = ClusterConfig.this.watchPort;
    private int exchangePort = ClusterConfig.this.exchangePort;
    private List<InetSocketAddress> members = ClusterConfig.this.members;
    private int owners = ClusterConfig.this.owners;
    private int shards = ClusterConfig.this.shards;
    private Duration joinTimeout = ClusterConfig.this.joinTimeout;
    private Duration failureTimeout = ClusterConfig.this.failureTimeout;
    private Duration lockTimeout = ClusterConfig.this.lockTimeout;
    private Duration leaveTimeout = ClusterConfig.this.leaveTimeout;
    private Duration snapshotAgeMax = ClusterConfig.this.snapshotAgeMax;
    private Duration retention = ClusterConfig.this.retention;
    private int stateBytesPerSecond = ClusterConfig.this.stateBytesPerSecond;
    private Optional<Path> stack = ClusterConfig.this.stack;
    private Balancing balancing = ClusterConfig.this.balancing;
    private FoundingPolicy found = ClusterConfig.this.found;
    private Optional<String> nodeName = ClusterConfig.this.nodeName;
    private Optional<Path> dataDirectory = ClusterConfig.this.dataDirectory;
    private Optional<Durability> durability = ClusterConfig.this.durability;
    private Optional<Long> dataReserve = ClusterConfig.this.dataReserve;
    private Optional<Long> memoryMax = ClusterConfig.this.memoryMax;
    private Duration diskTimeout = ClusterConfig.this.diskTimeout;
    private Duration rejoinGrace = ClusterConfig.this.rejoinGrace;
    private Optional<Path> identity = ClusterConfig.this.identity;
    private Optional<Path> trust = ClusterConfig.this.trust;
    private boolean trustNetwork = ClusterConfig.this.trustNetwork;
    private Optional<String> zone = ClusterConfig.this.zone;

    ClusterConfig checked() {
      return new ClusterConfig(
          name,
          bindAddress,
          port,
          watchPort,
          exchangePort,
          members,
          owners,
          shards,
          joinTimeout,
          failureTimeout,
          lockTimeout,
          leaveTimeout,
          snapshotAgeMax,
          retention,
          stateBytesPerSecond,
          stack,
          balancing,
          found,
          nodeName,
          dataDirectory,
          durability,
          dataReserve,
          memoryMax,
          diskTimeout,
          rejoinGrace,
          identity,
          trust,
          trustNetwork,
          zone);
    }
  }
}
