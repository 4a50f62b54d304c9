package io.canopygrid.client;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.client.netty.ConnectSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The options with which a client connects. Immutable and thread-safe: each method with an argument
 * returns a changed copy. Values out of range are {@link ErrorCode#CONFIG_INVALID} at once.
 *
 * @param user who asks, null for nobody
 * @param password of the user, null where there is none; printed nowhere
 * @param tls whether connections are encrypted and the servers' certificates checked
 * @param trust a PEM file with the certificates that are trusted, null for those of the JDK
 * @param connectTimeout how long opening a connection may take, login included; 10 ms to 5 min
 * @param ping after how long without a word a server is asked whether it is still there; one that
 *     does not answer three times is given up; 1 s to 1 h
 * @param outcomePatience how long the cluster is asked what became of a commit whose connection was
 *     lost, before that is {@link ErrorCode#COMMIT_UNKNOWN}; 0 to 10 min
 */
public record ClientOptions(
    @Nullable String user,
    @Nullable String password,
    boolean tls,
    @Nullable Path trust,
    Duration connectTimeout,
    Duration ping,
    Duration outcomePatience) {
  /** No user, no TLS, 5 s to connect, a ping after 10 s, 30 s for outcomes. */
  public static final ClientOptions DEFAULTS =
      new ClientOptions(
          null,
          null,
          false,
          null,
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30));

  /**
   * Checks the ranges.
   *
   * @throws CanopyException {@link ErrorCode#CONFIG_INVALID}
   */
  public ClientOptions {
    check("connectTimeout", connectTimeout, Duration.ofMillis(10), Duration.ofMinutes(5));
    check("ping", ping, Duration.ofSeconds(1), Duration.ofHours(1));
    check("outcomePatience", outcomePatience, Duration.ZERO, Duration.ofMinutes(10));
  }

  private static void check(String what, @Nullable Duration value, Duration min, Duration max) {
    if (value == null || value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new CanopyException(
          ErrorCode.CONFIG_INVALID,
          what + " must be from " + min + " to " + max + ": " + what + "=" + value);
    }
  }

  /** These options for a user. */
  public ClientOptions as(String name, String secret) {
    return new ClientOptions(name, secret, tls, trust, connectTimeout, ping, outcomePatience);
  }

  /** These options with TLS, trusting the certificates of a PEM file, or those of the JDK. */
  public ClientOptions withTls(@Nullable Path pem) {
    return new ClientOptions(user, password, true, pem, connectTimeout, ping, outcomePatience);
  }

  /** These options with another time to connect. */
  public ClientOptions withConnectTimeout(Duration limit) {
    return new ClientOptions(user, password, tls, trust, limit, ping, outcomePatience);
  }

  /** These options with another time of silence. */
  public ClientOptions withPing(Duration silence) {
    return new ClientOptions(user, password, tls, trust, connectTimeout, silence, outcomePatience);
  }

  /** These options with another patience for outcomes. */
  public ClientOptions withOutcomePatience(Duration limit) {
    return new ClientOptions(user, password, tls, trust, connectTimeout, ping, limit);
  }

  ConnectSettings toSettings() {
    return new ConnectSettings(
        user,
        password == null ? null : password.toCharArray(),
        tls,
        trust,
        Math.toIntExact(connectTimeout.toMillis()),
        ping.toMillis());
  }

  /** Without the password. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "ClientOptions[user=%s, tls=%s, trust=%s, connectTimeout=%s, ping=%s, outcomePatience=%s]",
        user,
        tls,
        trust,
        connectTimeout,
        ping,
        outcomePatience);
  }
}
