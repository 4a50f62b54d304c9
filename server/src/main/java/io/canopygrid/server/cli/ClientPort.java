package io.canopygrid.server.cli;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.embedded.ServedNode;
import io.canopygrid.server.endpoint.Authentication;
import io.canopygrid.server.endpoint.Endpoint;
import io.canopygrid.server.endpoint.EndpointLimits;
import io.canopygrid.server.security.Credentials;
import io.canopygrid.server.security.PasswordFile;
import io.canopygrid.server.security.Role;
import io.canopygrid.server.security.ScramAuthentication;
import io.canopygrid.server.security.Users;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.WireLimits;
import io.netty.handler.ssl.SslContext;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a node listens to clients.
 *
 * @param bindAddress the local address
 * @param port 0: any free one; null: the first free one from {@link WireLimits#DEFAULT_PORT} on
 * @param advertised where clients reach it, if not there; empty: there
 * @param openToAll whether everybody who reaches an address that is not this machine's own may do
 *     everything
 * @param authenticate whether clients must say who they are also on this machine's own address
 * @param adminPassword file with the password of user {@value #ADMIN}, who is added where there is
 *     no user at all; null: none is
 * @param tls what to speak TLS with; null: it is not spoken
 */
record ClientPort(
    String bindAddress,
    @Nullable Integer port,
    String advertised,
    boolean openToAll,
    boolean authenticate,
    @Nullable Path adminPassword,
    @Nullable Supplier<SslContext> tls) {
  static final String LOOPBACK = "127.0.0.1";
  private static final String ADMIN = "admin";

  /** How many ports are tried where none is given: enough for a cluster on one machine. */
  private static final int PORTS_TRIED = 100;

  /** Whether clients must say who they are. */
  private boolean isGuarded() {
    return authenticate || (!isLoopback() && !openToAll);
  }

  /**
   * Adds the first user; refuses where clients must say who they are, and nobody can.
   *
   * @throws CanopyException {@link ErrorCode#CONFIG_INVALID}
   */
  private void prepare(Users users) {
    if (!isGuarded() || !users.list().isEmpty()) {
      return;
    }
    if (adminPassword == null) {
      throw new CanopyException(
          ErrorCode.CONFIG_INVALID,
          "clients on "
              + bindAddress
              + " must say who they are, and the cluster has no users yet: give the password of"
              + " a first one, '"
              + ADMIN
              + "', with --admin-password-file FILE; or listen on "
              + LOOPBACK
              + " only; or, in a network where only friends are, say --open-to-all");
    }
    users.put(
        new Request.PutUser(
            ADMIN,
            Credentials.of(PasswordFile.read(adminPassword)),
            List.of(new Request.Grant("", Role.ADMIN.text()))));
  }

  private boolean isLoopback() {
    try {
      return InetAddress.getByName(bindAddress).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new CanopyException(
          ErrorCode.CONFIG_INVALID, "not an address: '" + bindAddress + "'", e);
    }
  }

  /** Listens. */
  Endpoint open(ServedNode node, String cluster) {
    Users users = new Users(node);
    prepare(users);
    if (port != null) {
      return open(node, users, cluster, port);
    }
    for (int i = 0; ; i++) {
      try {
        return open(node, users, cluster, WireLimits.DEFAULT_PORT + i);
      } catch (CanopyException e) {
        if (e.code() != ErrorCode.PORT_IN_USE || i == PORTS_TRIED) {
          throw e;
        }
      }
    }
  }

  private Endpoint open(ServedNode node, Users users, String cluster, int number) {
    return Endpoint.start(
        node,
        new Endpoint.Settings(
            cluster,
            bindAddress,
            number,
            advertised,
            EndpointLimits.DEFAULTS,
            isGuarded() ? new ScramAuthentication(users) : Authentication.NONE,
            users,
            tls));
  }
}
