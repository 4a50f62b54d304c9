package io.canopygrid.server.config;

import io.canopygrid.Balancing;
import io.canopygrid.ClusterConfig;
import io.canopygrid.server.endpoint.EndpointLimits;
import io.canopygrid.server.endpoint.TransactionLog;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

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
 */
public record ServerConfig(
    ClusterConfig cluster,
    Clients clients,
    Security security,
    Optional<Tls> tls,
    EndpointLimits limits,
    Logging logging,
    Metrics metrics) {
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
   * Who may come in.
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
   * What is logged.
   *
   * @param format how a line looks
   * @param level how much is logged
   * @param levels how much single loggers log
   * @param transactions which transactions are
   */
  public record Logging(
      LogFormat format,
      LogLevel level,
      Map<String, LogLevel> levels,
      TransactionLog.Settings transactions) {}

  /**
   * What Prometheus is told.
   *
   * @param enabled whether it is told anything
   */
  public record Metrics(boolean enabled) {}

  /** Puts values together that have been checked one by one. */
  static ServerConfig of(Values values) {
    ClusterConfig cluster =
        ClusterConfig.of(values.get(Settings.NAME))
            .bindAddress(values.get(Settings.BIND_ADDRESS))
            .port(values.get(Settings.PORT))
            .members(values.get(Settings.MEMBERS))
            .owners(values.get(Settings.OWNERS))
            .shards(values.get(Settings.SHARDS))
            .joinTimeout(values.get(Settings.JOIN_TIMEOUT))
            .failureTimeout(values.get(Settings.FAILURE_TIMEOUT))
            .lockTimeout(values.get(Settings.LOCK_TIMEOUT))
            .stateBytesPerSecond(Math.toIntExact(values.get(Settings.STATE_BYTES_PER_SECOND)))
            .balancing(
                new Balancing(
                    values.get(Settings.BALANCE_ENABLED),
                    values.get(Settings.SUBTREES_PER_NODE),
                    values.get(Settings.MIN_SUBTREE_ENTRIES),
                    values.get(Settings.MOVED_ENTRIES_PER_SECOND),
                    values.get(Settings.PLACEMENT)));
    Path stack = values.find(Settings.STACK);
    return new ServerConfig(
        stack == null ? cluster : cluster.stack(stack),
        new Clients(
            values.get(Settings.CLIENT_BIND),
            Optional.ofNullable(values.find(Settings.CLIENT_PORT)),
            Optional.ofNullable(values.find(Settings.CLIENT_ADDRESS)),
            Optional.ofNullable(values.find(Settings.FUNCTIONS))),
        new Security(
            values.get(Settings.AUTHENTICATE),
            values.get(Settings.OPEN_TO_ALL),
            Optional.ofNullable(values.find(Settings.ADMIN_PASSWORD_FILE)),
            Optional.ofNullable(values.find(Settings.ADMIN_PASSWORD))),
        tls(values),
        limits(values),
        logging(values),
        new Metrics(values.get(Settings.METRICS_ENABLED)));
  }

  private static Optional<Tls> tls(Values values) {
    Path certificate = values.find(Settings.CERTIFICATE);
    Path key = values.find(Settings.KEY);
    return certificate == null || key == null
        ? Optional.empty()
        : Optional.of(new Tls(certificate, key));
  }

  private static EndpointLimits limits(Values values) {
    return new EndpointLimits(
        values.get(Settings.CONNECTIONS_MAX),
        values.get(Settings.REQUESTS_MAX),
        Math.toIntExact(values.get(Settings.REQUEST_BYTES_MAX)),
        values.get(Settings.TRANSACTIONS_MAX),
        values.get(Settings.CURSORS_MAX),
        values.get(Settings.TRANSACTION_BYTES_MAX),
        values.get(Settings.STAGED_BYTES_MAX),
        values.get(Settings.WORKERS),
        values.get(Settings.WAITING_MAX),
        values.get(Settings.HELLO_TIMEOUT).toMillis(),
        values.get(Settings.IDLE_TIMEOUT).toMillis(),
        values.get(Settings.SLOW_TIMEOUT).toMillis(),
        values.get(Settings.DRAIN_TIMEOUT).toMillis());
  }

  private static Logging logging(Values values) {
    return new Logging(
        values.get(Settings.LOG_FORMAT),
        values.get(Settings.LOG_LEVEL),
        values.get(Settings.LOG_LEVELS),
        new TransactionLog.Settings(
            values.get(Settings.SLOW_TRANSACTIONS).toMillis(),
            values.get(Settings.ABORTED_TRANSACTIONS),
            values.get(Settings.TRANSACTION_LINES_MAX)));
  }
}
