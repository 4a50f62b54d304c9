package io.canopygrid.server.cli;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.config.Configuration;
import io.canopygrid.server.config.ServerConfig;
import io.canopygrid.server.endpoint.Endpoint;
import io.canopygrid.server.endpoint.access.Authentication;
import io.canopygrid.server.endpoint.netty.WaitingNode;
import io.canopygrid.server.endpoint.netty.WaitingPort;
import io.canopygrid.server.security.Credentials;
import io.canopygrid.server.security.PasswordFile;
import io.canopygrid.server.security.PemTls;
import io.canopygrid.server.security.Role;
import io.canopygrid.server.security.ScramAuthentication;
import io.canopygrid.server.security.Users;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.WireLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Opens a node's port for clients, as the configuration says.
 *
 * @param settings the same, as it is told to administrators: without secrets
 */
record ClientPort(ServerConfig config, List<Configuration.Effective> settings) {
  private static final String ADMIN = "admin";

  /**
   * The number of ports that are tried where the configuration gives none: enough for a cluster on
   * one machine.
   */
  private static final int PORTS_TRIED = 100;

  /** Whether clients must authenticate. */
  boolean isGuarded() {
    return security().authenticate() || (!isLoopback() && !security().openToAll());
  }

  /**
   * Adds the first user. Refuses to start where clients must authenticate and no user exists.
   *
   * @throws CanopyException {@link ErrorCode#CONFIG_INVALID}
   */
  private void prepare(Users users) {
    if (!isGuarded() || !users.list().isEmpty()) {
      return;
    }
    Optional<char[]> password = adminPassword();
    if (password.isEmpty()) {
      throw new CanopyException(
          ErrorCode.CONFIG_INVALID,
          "clients on "
              + config.clients().bindAddress()
              + " must say who they are, and the cluster has no users yet: give the password of"
              + " a first one, '"
              + ADMIN
              + "', with --admin-password-file FILE (security.adminPasswordFile); or listen on "
              + "127.0.0.1"
              + " only; or, in a network where only friends are, say --open-to-all");
    }
    users.put(
        new Request.PutUser(
            ADMIN,
            Credentials.of(password.get()),
            List.of(new Request.Grant("", Role.ADMIN.text()))));
  }

  private Optional<char[]> adminPassword() {
    return security()
        .adminPasswordFile()
        .map(PasswordFile::read)
        .or(() -> security().adminPassword().map(String::toCharArray));
  }

  private ServerConfig.Security security() {
    return config.security();
  }

  private boolean isLoopback() {
    String address = config.clients().bindAddress();
    try {
      return InetAddress.getByName(address).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new CanopyException(ErrorCode.CONFIG_INVALID, "not an address: '" + address + "'", e);
    }
  }

  /**
   * Takes the configured port before the node joins.
   *
   * @throws CanopyException {@link ErrorCode#PORT_IN_USE}
   */
  ReservedPort reserve() {
    int port = config.clients().port().orElse(0);
    String address = config.clients().bindAddress();
    try {
      return ReservedPort.of(new InetSocketAddress(address, port));
    } catch (IOException e) {
      throw new CanopyException(
          ErrorCode.PORT_IN_USE,
          String.format(
              Locale.ROOT,
              "clients.port %d at %s is in use, or the address is not this machine's: %s",
              port,
              address,
              e.getMessage()),
          e);
    }
  }

  /**
   * Opens the configured port before there is a node, to say why.
   *
   * @throws CanopyException {@link ErrorCode#PORT_IN_USE}
   */
  WaitingPort openWaiting(WaitingNode node) {
    return WaitingPort.open(
        config.clients().bindAddress(), config.clients().port().orElse(0), tls(), node);
  }

  private @Nullable PemTls tls() {
    return config.tls().map(tls -> new PemTls(tls.certificate(), tls.key())).orElse(null);
  }

  /** Opens the port. */
  Endpoint open(ServedNode node, ReservedPort reserved) {
    Users users = new Users(node);
    prepare(users);
    reserved.close();
    Optional<Integer> port = config.clients().port();
    if (port.isPresent()) {
      return open(node, users, port.get());
    }
    for (int i = 0; ; i++) {
      try {
        return open(node, users, WireLimits.DEFAULT_PORT + i);
      } catch (CanopyException e) {
        if (e.code() != ErrorCode.PORT_IN_USE || i == PORTS_TRIED) {
          throw e;
        }
      }
    }
  }

  private Endpoint open(ServedNode node, Users users, int number) {
    return Endpoint.start(
        node,
        new Endpoint.Settings(
            config.cluster().name(),
            config.clients().bindAddress(),
            number,
            config.clients().address().orElse(""),
            config.limits(),
            isGuarded() ? new ScramAuthentication(users) : Authentication.NONE,
            users,
            tls(),
            config.logging().transactions(),
            config.metrics().enabled(),
            config.traces().endpoint().orElse(null),
            settings));
  }
}
