package io.canopygrid.server.config;

import static io.canopygrid.server.config.Setting.optional;

import io.canopygrid.Balancing;
import io.canopygrid.ClusterConfig;
import io.canopygrid.CutOff;
import io.canopygrid.IndexOptions;
import io.canopygrid.Placement;
import io.canopygrid.server.endpoint.AbortsLogged;
import io.canopygrid.server.endpoint.EndpointLimits;
import io.canopygrid.server.endpoint.TransactionLog;
import io.canopygrid.wire.client.WireLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Everything that can be set, in the order in which it is documented. The schema, the example and
 * docs/reference/configuration.md are made of it.
 */
final class Settings {
  private static final ClusterConfig CLUSTER = ClusterConfig.of("canopy");
  private static final EndpointLimits LIMITS = EndpointLimits.DEFAULTS;
  private static final TransactionLog.Settings LOG = TransactionLog.Settings.DEFAULTS;
  private static final Numbers PORTS = new Numbers(0, 65_535);
  private static final Numbers COUNTS = new Numbers(1, 1_000_000);
  private static final Texts ADDRESSES =
      new Texts(
          "[A-Za-z0-9._-]{1,255}|[0-9A-Fa-f:.]{2,45}(%[A-Za-z0-9._-]{1,32})?",
          "a host name or an IP address");

  static final Setting<String> NAME =
      Setting.of(
          "cluster.name",
          "--name",
          new Texts("[A-Za-z0-9._-]{1,64}", "1 to 64 letters, digits, '.', '_' or '-'"),
          CLUSTER.name(),
          "Name of the cluster; nodes of one name and the same members find each other.");
  static final Setting<String> BIND_ADDRESS =
      Setting.of(
          "cluster.bindAddress",
          "--bind",
          ADDRESSES,
          CLUSTER.bindAddress(),
          "Local address for the other nodes; by default only this machine reaches it.");
  static final Setting<Integer> PORT =
      Setting.of(
          "cluster.port",
          "--port",
          PORTS,
          CLUSTER.port(),
          "TCP port for the other nodes; 0 is any free one.");
  static final Setting<List<String>> MEMBERS =
      Setting.of(
          "cluster.members",
          "--join",
          new Members(),
          List.of(),
          "Where to look for nodes of the cluster, this one may be among them; nowhere: this node"
              + " is the first.");
  static final Setting<Integer> OWNERS =
      Setting.of(
          "cluster.owners",
          "--owners",
          new Numbers(1, ClusterConfig.OWNERS_MAX),
          CLUSTER.owners(),
          "How many nodes have a copy of each entry, the same on all nodes; 2 survive one"
              + " failure.");
  static final Setting<Integer> SHARDS =
      Setting.of(
          "cluster.shards",
          "--shards",
          new Numbers(1, ClusterConfig.SHARDS_MAX),
          CLUSTER.shards(),
          "Into how many parts the data is cut, the same on all nodes and fixed when the cluster"
              + " starts.");
  static final Setting<Duration> JOIN_TIMEOUT =
      Setting.of(
          "cluster.joinTimeout",
          "--join-timeout",
          new Times(Duration.ofSeconds(1), Duration.ofMinutes(10)),
          CLUSTER.joinTimeout(),
          "How long a node looks for the cluster and waits for its data.");
  static final Setting<Duration> FAILURE_TIMEOUT =
      Setting.of(
          "cluster.failureTimeout",
          "--failure-timeout",
          new Times(Duration.ofSeconds(1), Duration.ofMinutes(5)),
          CLUSTER.failureTimeout(),
          "After how long a silent node is taken for dead; a closed connection shows it at once.");
  static final Setting<Duration> LOCK_TIMEOUT =
      Setting.of(
          "cluster.lockTimeout",
          "--lock-timeout",
          new Times(Duration.ofMillis(1), Duration.ofSeconds(60)),
          CLUSTER.lockTimeout(),
          "How long a transaction waits for locks at commit before it is refused and run again.");
  static final Setting<Long> STATE_BYTES_PER_SECOND =
      Setting.of(
          "cluster.stateBytesPerSecond",
          "--state-bytes-per-second",
          new Sizes(ClusterConfig.STATE_BYTES_PER_SECOND_MIN, 1L << 30),
          (long) CLUSTER.stateBytesPerSecond(),
          "How fast a node hands data on when it moves to another one; what is left of the network"
              + " is the transactions'.");
  static final Setting<Path> STACK =
      optional(
          "cluster.stack",
          "--stack",
          new FilePaths(false),
          "Canopy's own",
          "JGroups stack for other discovery, encryption or authentication between nodes.");

  static final Setting<Boolean> BALANCE_ENABLED =
      Setting.of(
          "balance.enabled",
          "--balance",
          new Switch(),
          CLUSTER.balancing().enabled(),
          "Whether subtrees are split, merged and moved without being asked for.");
  static final Setting<Integer> SUBTREES_PER_NODE =
      Setting.of(
          "balance.subtreesPerNode",
          "--subtrees-per-node",
          new Numbers(1, CutOff.SUBTREES_PER_NODE_MAX),
          CLUSTER.balancing().subtreesPerNode(),
          "How many subtrees an index has per node at least; of cold ones above twice as many some"
              + " are merged.");
  static final Setting<Integer> MIN_SUBTREE_ENTRIES =
      Setting.of(
          "balance.minSubtreeEntries",
          "--min-subtree-entries",
          new Numbers(Balancing.SUBTREE_ENTRIES_LEAST, IndexOptions.SUBTREE_ENTRIES_MOST),
          CLUSTER.balancing().minSubtreeEntries(),
          "Subtrees of so few entries are not split to have more of them.");
  static final Setting<Integer> MOVED_ENTRIES_PER_SECOND =
      Setting.of(
          "balance.movedEntriesPerSecond",
          "--moved-entries-per-second",
          new Numbers(Balancing.MOVED_ENTRIES_LEAST, Balancing.MOVED_ENTRIES_MOST),
          CLUSTER.balancing().movedEntriesPerSecond(),
          "How many entries go from subtree to subtree to balance the load.");
  static final Setting<Placement> PLACEMENT =
      Setting.of(
          "balance.placement",
          "--placement",
          new Choice<>(Placement.class),
          CLUSTER.balancing().placement(),
          "Which node gets a subtree: even, so that the nodes have about the same load, or near,"
              + " the one in whose JVM the application is that uses it most.");

  static final Setting<String> CLIENT_BIND =
      Setting.of(
          "clients.bindAddress",
          "--client-bind",
          ADDRESSES,
          "127.0.0.1",
          "Local address for clients; on any but this machine's own they must say who they are.");
  static final Setting<Integer> CLIENT_PORT =
      optional(
          "clients.port",
          "--client-port",
          PORTS,
          "the first free one from " + WireLimits.DEFAULT_PORT + " on",
          "TCP port for clients and HTTP; 0 is any free one.");
  static final Setting<String> CLIENT_ADDRESS =
      optional(
          "clients.address",
          "--client-address",
          new Texts(
              "[A-Za-z0-9._-]{1,255}:[0-9]{1,5}|\\[[0-9A-Fa-f:.]{2,45}\\]:[0-9]{1,5}",
              "host:port or [address]:port"),
          "bindAddress and port",
          "Where clients reach this node, if not where it listens.");

  static final Setting<Path> FUNCTIONS =
      optional(
          "clients.functions",
          "--functions",
          new FilePaths(true),
          "those on the class path",
          "Directory with jars of functions for clients to execute.");

  static final Setting<Boolean> AUTHENTICATE =
      Setting.of(
          "security.authenticate",
          "--authenticate",
          new Switch(),
          false,
          "Let clients say who they are on an address of this machine alone, too.");
  static final Setting<Boolean> OPEN_TO_ALL =
      Setting.of(
          "security.openToAll",
          "--open-to-all",
          new Switch(),
          false,
          "Let everybody who reaches the port for clients do everything, also from other"
              + " machines.");
  static final Setting<Path> ADMIN_PASSWORD_FILE =
      optional(
          "security.adminPasswordFile",
          "--admin-password-file",
          new FilePaths(false),
          "none",
          "Its first line is the password of user admin, who is added where there are no users"
              + " yet.");
  static final Setting<String> ADMIN_PASSWORD =
      new Setting<>(
          "security.adminPassword",
          "",
          new Texts("[^\\r\\n]{1,1024}", "1 to 1024 characters on one line"),
          null,
          "none",
          true,
          "The same password itself, for environments that have secrets as variables.");

  static final Setting<Path> CERTIFICATE =
      optional(
          "tls.certificate",
          "--tls-cert",
          new FilePaths(false),
          "no TLS",
          "PEM file with the certificate for clients, and those that have signed it; read again"
              + " when it changes.");
  static final Setting<Path> KEY =
      optional(
          "tls.key",
          "--tls-key",
          new FilePaths(false),
          "no TLS",
          "PEM file with its key, PKCS #8 without a password.");

  static final Setting<Integer> CONNECTIONS_MAX =
      Setting.of(
          "limits.connectionsMax",
          "--connections-max",
          COUNTS,
          LIMITS.connectionsMax(),
          "Connections of clients; one more is closed at once.");
  static final Setting<Integer> REQUESTS_MAX =
      Setting.of(
          "limits.requestsMax",
          "--requests-max",
          new Numbers(1, 65_536),
          LIMITS.requestsMax(),
          "Requests of a connection that are under way; beyond that it is not read on.");
  static final Setting<Long> REQUEST_BYTES_MAX =
      Setting.of(
          "limits.requestBytesMax",
          "--request-bytes-max",
          new Sizes(1L << 16, 1L << 30),
          (long) LIMITS.requestBytesMax(),
          "What these take together.");
  static final Setting<Integer> TRANSACTIONS_MAX =
      Setting.of(
          "limits.transactionsMax",
          "--transactions-max",
          COUNTS,
          LIMITS.transactionsMax(),
          "Open transactions of a connection.");
  static final Setting<Integer> CURSORS_MAX =
      Setting.of(
          "limits.cursorsMax",
          "--cursors-max",
          COUNTS,
          LIMITS.cursorsMax(),
          "Open cursors of a connection.");
  static final Setting<Long> TRANSACTION_BYTES_MAX =
      Setting.of(
          "limits.transactionBytesMax",
          "--transaction-bytes-max",
          new Sizes(1L << 10, 1L << 30),
          LIMITS.transactionBytesMax(),
          "Keys and values that one transaction writes.");
  static final Setting<Long> STAGED_BYTES_MAX =
      Setting.of(
          "limits.stagedBytesMax",
          "--staged-bytes-max",
          new Sizes(1L << 10, 1L << 40),
          LIMITS.stagedBytesMax(),
          "The same of all open transactions together; at most a quarter of the heap.");
  static final Setting<Integer> WORKERS =
      Setting.of(
          "limits.workers",
          "--workers",
          new Numbers(1, 1_024),
          LIMITS.workers(),
          "Threads that carry out the requests of all connections.");
  static final Setting<Integer> WAITING_MAX =
      Setting.of(
          "limits.waitingMax",
          "--waiting-max",
          COUNTS,
          LIMITS.waitingMax(),
          "Requests of all connections that wait for such a thread.");
  static final Setting<Duration> HELLO_TIMEOUT =
      Setting.of(
          "limits.helloTimeout",
          "--hello-timeout",
          new Times(Duration.ofMillis(100), Duration.ofMinutes(10)),
          Duration.ofMillis(LIMITS.helloMillis()),
          "Until when a client must have said who it is.");
  static final Setting<Duration> IDLE_TIMEOUT =
      Setting.of(
          "limits.idleTimeout",
          "--idle-timeout",
          new Times(Duration.ofSeconds(1), Duration.ofHours(24)),
          Duration.ofMillis(LIMITS.idleMillis()),
          "How long a client may say nothing.");
  static final Setting<Duration> SLOW_TIMEOUT =
      Setting.of(
          "limits.slowTimeout",
          "--slow-timeout",
          new Times(Duration.ofMillis(100), Duration.ofHours(1)),
          Duration.ofMillis(LIMITS.slowMillis()),
          "How long a frame may take to arrive, and an answer to be taken.");
  static final Setting<Duration> DRAIN_TIMEOUT =
      Setting.of(
          "limits.drainTimeout",
          "--drain-timeout",
          new Times(Duration.ZERO, Duration.ofMinutes(10)),
          Duration.ofMillis(LIMITS.drainMillis()),
          "How long a server that stops waits for open transactions.");

  static final Setting<LogFormat> LOG_FORMAT =
      Setting.of(
          "logging.format",
          "--log-format",
          new Choice<>(LogFormat.class),
          LogFormat.TEXT,
          "How a line of the log on standard error looks.");
  static final Setting<LogLevel> LOG_LEVEL =
      Setting.of(
          "logging.level",
          "--log-level",
          new Choice<>(LogLevel.class),
          LogLevel.WARN,
          "How much is logged.");
  static final Setting<Map<String, LogLevel>> LOG_LEVELS =
      Setting.of(
          "logging.levels", "--log-levels", new Levels(), Map.of(), "How much single loggers log.");
  static final Setting<Duration> SLOW_TRANSACTIONS =
      Setting.of(
          "logging.slowTransactions",
          "--log-slow-transactions",
          new Times(Duration.ZERO, Duration.ofHours(1)),
          Duration.ofMillis(LOG.slowMillis()),
          "Transactions of clients that take longer are logged with the reason; 0ms: none are.");
  static final Setting<AbortsLogged> ABORTED_TRANSACTIONS =
      Setting.of(
          "logging.abortedTransactions",
          "--log-aborted-transactions",
          new Choice<>(AbortsLogged.class),
          LOG.aborts(),
          "Which aborted transactions are logged with the reason: none, those that failed, or all,"
              + " with the conflicts that clients run again.");
  static final Setting<Integer> TRANSACTION_LINES_MAX =
      Setting.of(
          "logging.transactionLinesPerMinuteMax",
          "--log-transaction-lines",
          new Numbers(1, 60_000),
          LOG.linesPerMinuteMax(),
          "How many lines about transactions are logged in a minute; the rest is counted.");

  static final Setting<Boolean> METRICS_ENABLED =
      Setting.of(
          "metrics.enabled",
          "--metrics",
          new Switch(),
          true,
          "Whether /metrics answers; it needs no credentials.");

  /** All of them. */
  static final List<Setting<?>> ALL =
      List.of(
          NAME,
          BIND_ADDRESS,
          PORT,
          MEMBERS,
          OWNERS,
          SHARDS,
          JOIN_TIMEOUT,
          FAILURE_TIMEOUT,
          LOCK_TIMEOUT,
          STATE_BYTES_PER_SECOND,
          STACK,
          BALANCE_ENABLED,
          SUBTREES_PER_NODE,
          MIN_SUBTREE_ENTRIES,
          MOVED_ENTRIES_PER_SECOND,
          PLACEMENT,
          CLIENT_BIND,
          CLIENT_PORT,
          CLIENT_ADDRESS,
          FUNCTIONS,
          AUTHENTICATE,
          OPEN_TO_ALL,
          ADMIN_PASSWORD_FILE,
          ADMIN_PASSWORD,
          CERTIFICATE,
          KEY,
          CONNECTIONS_MAX,
          REQUESTS_MAX,
          REQUEST_BYTES_MAX,
          TRANSACTIONS_MAX,
          CURSORS_MAX,
          TRANSACTION_BYTES_MAX,
          STAGED_BYTES_MAX,
          WORKERS,
          WAITING_MAX,
          HELLO_TIMEOUT,
          IDLE_TIMEOUT,
          SLOW_TIMEOUT,
          DRAIN_TIMEOUT,
          LOG_FORMAT,
          LOG_LEVEL,
          LOG_LEVELS,
          SLOW_TRANSACTIONS,
          ABORTED_TRANSACTIONS,
          TRANSACTION_LINES_MAX,
          METRICS_ENABLED);

  private Settings() {}

  /** The sections and what they are about, in order. */
  static Map<String, String> sections() {
    Map<String, String> sections = new LinkedHashMap<>();
    sections.put("cluster", "How the node takes part in the cluster.");
    sections.put("balance", "How the cluster balances itself, the same on all nodes.");
    sections.put("clients", "The port for clients and HTTP.");
    sections.put("security", "Who may come in.");
    sections.put("tls", "TLS on the port for clients; both files or none.");
    sections.put("limits", "How much is served at most, and for how long.");
    sections.put("logging", "What is logged, and how.");
    sections.put("metrics", "What Prometheus is told.");
    return sections;
  }

  /** The settings of a section. */
  static List<Setting<?>> inSection(String section) {
    return ALL.stream().filter(setting -> setting.section().equals(section)).toList();
  }

  /** The environment variables. */
  static Set<String> variables() {
    Set<String> variables = new LinkedHashSet<>();
    ALL.forEach(setting -> variables.add(setting.variable()));
    return variables;
  }
}
