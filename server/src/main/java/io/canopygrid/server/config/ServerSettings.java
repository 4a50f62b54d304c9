package io.canopygrid.server.config;

import static io.canopygrid.config.Setting.optional;

import io.canopygrid.config.Choice;
import io.canopygrid.config.ClusterSettings;
import io.canopygrid.config.Durations;
import io.canopygrid.config.FilePaths;
import io.canopygrid.config.Numbers;
import io.canopygrid.config.Setting;
import io.canopygrid.config.SettingSchema;
import io.canopygrid.config.Sizes;
import io.canopygrid.config.Switch;
import io.canopygrid.config.Texts;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.endpoint.transaction.LoggedAborts;
import io.canopygrid.server.endpoint.transaction.TransactionLog;
import io.canopygrid.wire.client.WireLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings of a server, in the order in which they are documented. The JSON Schema, the example
 * and docs/reference/configuration.md are made of it.
 */
final class ServerSettings {
  private static final EndpointLimits LIMITS = EndpointLimits.DEFAULTS;
  private static final TransactionLog.Settings LOG = TransactionLog.Settings.DEFAULTS;
  private static final Numbers PORTS = new Numbers(0, 65_535);
  private static final Numbers COUNTS = new Numbers(1, 1_000_000);

  static final Setting<String> CLIENT_BIND =
      Setting.of(
          "clients.bindAddress",
          "--client-bind",
          ClusterSettings.ADDRESSES,
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
          FilePaths.DIRECTORY,
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
          FilePaths.FILE,
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
          FilePaths.FILE,
          "no TLS",
          "PEM file with the certificate for clients, and those that have signed it; read again"
              + " when it changes.");
  static final Setting<Path> KEY =
      optional(
          "tls.key",
          "--tls-key",
          FilePaths.FILE,
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
          new Durations(Duration.ofMillis(100), Duration.ofMinutes(10)),
          Duration.ofMillis(LIMITS.helloMillis()),
          "Until when a client must have said who it is.");
  static final Setting<Duration> IDLE_TIMEOUT =
      Setting.of(
          "limits.idleTimeout",
          "--idle-timeout",
          new Durations(Duration.ofSeconds(1), Duration.ofHours(24)),
          Duration.ofMillis(LIMITS.idleMillis()),
          "How long a client may say nothing.");
  static final Setting<Duration> SLOW_TIMEOUT =
      Setting.of(
          "limits.slowTimeout",
          "--slow-timeout",
          new Durations(Duration.ofMillis(100), Duration.ofHours(1)),
          Duration.ofMillis(LIMITS.slowMillis()),
          "How long a frame may take to arrive, and an answer to be taken.");
  static final Setting<Duration> DRAIN_TIMEOUT =
      Setting.of(
          "limits.drainTimeout",
          "--drain-timeout",
          new Durations(Duration.ZERO, Duration.ofMinutes(10)),
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
          new Durations(Duration.ZERO, Duration.ofHours(1)),
          Duration.ofMillis(LOG.slowMillis()),
          "Transactions of clients that take longer are logged with the reason; 0ms: none are.");
  static final Setting<LoggedAborts> ABORTED_TRANSACTIONS =
      Setting.of(
          "logging.abortedTransactions",
          "--log-aborted-transactions",
          new Choice<>(LoggedAborts.class),
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
  static final Setting<Boolean> AUDIT =
      Setting.of(
          "logging.audit",
          "--log-audit",
          new Switch(),
          true,
          "Whether logins, and changes of users, rights, structure and schema, are logged with who"
              + " made them, where clients must log in.");

  static final Setting<Boolean> METRICS_ENABLED =
      Setting.of(
          "metrics.enabled",
          "--metrics",
          new Switch(),
          true,
          "Whether /metrics answers; it needs no credentials.");

  static final Setting<String> TRACES_ENDPOINT =
      optional(
          "traces.endpoint",
          "--traces-endpoint",
          new Texts("https?://[^\\s/?#@]{1,262}(/[^\\s?#]{0,1024})?", "an http or https URL"),
          "no spans",
          "Where a collector of OpenTelemetry takes spans by OTLP over HTTP, such as"
              + " http://localhost:4318; without a path it is /v1/traces.");

  /** All settings of a server, those of its cluster first. */
  static final SettingSchema SCHEMA =
      ClusterSettings.SCHEMA.and(
          new SettingSchema(
              sections(),
              List.of(
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
                  AUDIT,
                  METRICS_ENABLED,
                  TRACES_ENDPOINT)));

  private ServerSettings() {}

  private static Map<String, String> sections() {
    Map<String, String> sections = new LinkedHashMap<>();
    sections.put("clients", "The port for clients and HTTP.");
    sections.put("security", "Who may come in.");
    sections.put("tls", "TLS on the port for clients; both files or none.");
    sections.put("limits", "How much is served at most, and for how long.");
    sections.put("logging", "What is logged, and how.");
    sections.put("metrics", "What Prometheus is told.");
    sections.put("traces", "Spans of transactions of clients that say where in a trace they are.");
    return sections;
  }
}
