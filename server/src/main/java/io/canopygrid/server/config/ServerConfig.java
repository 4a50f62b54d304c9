package io.canopygrid.server.config;

import io.canopygrid.ClusterConfig;
import io.canopygrid.config.ClusterSettings;
import io.canopygrid.config.Configuration;
import io.canopygrid.config.SettingSchema;
import io.canopygrid.config.SettingValues;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.endpoint.transaction.TransactionLog;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All of a server's configuration. Immutable; docs/reference/configuration.md says what each
 * setting is.
 *
 * @param cluster how the node takes part in the cluster
 * @param clients the port for clients
 * @param security who may come in
 * @param tls what TLS is spoken with; empty: it is not
 * @param limits how much is served
 * @param logging what is logged
 * @param metrics what Prometheus is told
 * @param traces where spans go
 */
public record ServerConfig(
    ClusterConfig cluster,
    Clients clients,
    Security security,
    Optional<Tls> tls,
    EndpointLimits limits,
    Logging logging,
    Metrics metrics,
    Traces traces) {
  /**
   * The port for clients.
   *
   * @param bindAddress the local address
   * @param port 0: any free one; empty: the first free one from the usual one on
   * @param address where clients reach it; empty: where it listens
   * @param functions the directory of jars with functions for clients
   */
  public record Clients(
      String bindAddress,
      Optional<Integer> port,
      Optional<String> address,
      Optional<Path> functions) {}

  /**
   * The clients that may come in.
   *
   * @param authenticate whether clients of this machine must say who they are, too
   * @param openToAll whether nobody must
   * @param adminPasswordFile where the first user's password is
   * @param adminPassword that password
   */
  public record Security(
      boolean authenticate,
      boolean openToAll,
      Optional<Path> adminPasswordFile,
      Optional<String> adminPassword) {
    /** Without the password. */
    @Override
    public String toString() {
      return "Security[authenticate=" + authenticate + ", openToAll=" + openToAll + "]";
    }
  }

  /** The PEM files. */
  public record Tls(Path certificate, Path key) {}

  /**
   * The settings of the log.
   *
   * @param format how a line looks
   * @param level how much is logged
   * @param levels how much single loggers log
   * @param transactions which transactions are
   * @param audit whether it is logged who logs in and who changes what
   */
  public record Logging(
      LogFormat format,
      LogLevel level,
      Map<String, LogLevel> levels,
      TransactionLog.Settings transactions,
      boolean audit) {}

  /**
   * The settings of the metrics for Prometheus.
   *
   * @param enabled whether it is told anything
   */
  public record Metrics(boolean enabled) {}

  /**
   * The settings of spans.
   *
   * @param endpoint of the collector; empty: there are none
   */
  public record Traces(Optional<URI> endpoint) {}

  /**
   * Loads a file, the environment and options, the later winning over the earlier, and checks them.
   *
   * @param file the file; null: none
   * @param environment all environment variables
   * @param options by name what the command line says: {@code --port}, {@code 7800}
   */
  public static Configuration load(
      @Nullable Path file, Map<String, String> environment, Map<String, String> options) {
    return Configuration.load(ServerSettings.SCHEMA, file, environment, options, ServerChecks::of);
  }

  /** The settings of a server. */
  public static SettingSchema schema() {
    return ServerSettings.SCHEMA;
  }

  /** Puts values together that have been checked one by one. */
  public static ServerConfig of(SettingValues values) {
    return new ServerConfig(
        ClusterSettings.config(values),
        new Clients(
            values.get(ServerSettings.CLIENT_BIND),
            Optional.ofNullable(values.find(ServerSettings.CLIENT_PORT)),
            Optional.ofNullable(values.find(ServerSettings.CLIENT_ADDRESS)),
            Optional.ofNullable(values.find(ServerSettings.FUNCTIONS))),
        new Security(
            values.get(ServerSettings.AUTHENTICATE),
            values.get(ServerSettings.OPEN_TO_ALL),
            Optional.ofNullable(values.find(ServerSettings.ADMIN_PASSWORD_FILE)),
            Optional.ofNullable(values.find(ServerSettings.ADMIN_PASSWORD))),
        tls(values),
        limits(values),
        logging(values),
        new Metrics(values.get(ServerSettings.METRICS_ENABLED)),
        new Traces(
            Optional.ofNullable(values.find(ServerSettings.TRACES_ENDPOINT)).map(URI::create)));
  }

  private static Optional<Tls> tls(SettingValues values) {
    Path certificate = values.find(ServerSettings.CERTIFICATE);
    Path key = values.find(ServerSettings.KEY);
    return certificate == null || key == null
        ? Optional.empty()
        : Optional.of(new Tls(certificate, key));
  }

  private static EndpointLimits limits(SettingValues values) {
    return EndpointLimits.builder()
        .connectionsMax(values.get(ServerSettings.CONNECTIONS_MAX))
        .requestsMax(values.get(ServerSettings.REQUESTS_MAX))
        .requestBytesMax(Math.toIntExact(values.get(ServerSettings.REQUEST_BYTES_MAX)))
        .transactionsMax(values.get(ServerSettings.TRANSACTIONS_MAX))
        .cursorsMax(values.get(ServerSettings.CURSORS_MAX))
        .transactionBytesMax(values.get(ServerSettings.TRANSACTION_BYTES_MAX))
        .stagedBytesMax(values.get(ServerSettings.STAGED_BYTES_MAX))
        .workers(values.get(ServerSettings.WORKERS))
        .waitingMax(values.get(ServerSettings.WAITING_MAX))
        .helloMillis(values.get(ServerSettings.HELLO_TIMEOUT).toMillis())
        .idleMillis(values.get(ServerSettings.IDLE_TIMEOUT).toMillis())
        .slowMillis(values.get(ServerSettings.SLOW_TIMEOUT).toMillis())
        .drainMillis(values.get(ServerSettings.DRAIN_TIMEOUT).toMillis())
        .build();
  }

  private static Logging logging(SettingValues values) {
    return new Logging(
        values.get(ServerSettings.LOG_FORMAT),
        values.get(ServerSettings.LOG_LEVEL),
        values.get(ServerSettings.LOG_LEVELS),
        new TransactionLog.Settings(
            values.get(ServerSettings.SLOW_TRANSACTIONS).toMillis(),
            values.get(ServerSettings.ABORTED_TRANSACTIONS),
            values.get(ServerSettings.TRANSACTION_LINES_MAX)),
        values.get(ServerSettings.AUDIT));
  }
}
