package io.canopygrid.server.cli;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.embedded.ServedNode;
import io.canopygrid.server.endpoint.Authentication;
import io.canopygrid.server.endpoint.Endpoint;
import io.canopygrid.server.endpoint.EndpointLimits;
import io.canopygrid.wire.client.WireLimits;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Where a node listens to clients.
 *
 * @param bindAddress the local address
 * @param port 0: any free one; null: the first free one from {@link WireLimits#DEFAULT_PORT} on
 * @param advertised where clients reach it, if not there; empty: there
 * @param openToAll whether everybody who reaches an address that is not this machine's own may do
 *     everything
 */
record ClientPort(
    String bindAddress, @Nullable Integer port, String advertised, boolean openToAll) {
  /** How many ports are tried where none is given: enough for a cluster on one machine. */
  private static final int PORTS_TRIED = 100;

  static final String LOOPBACK = "127.0.0.1";

  /**
   * Refuses what would let strangers in.
   *
   * @throws CanopyException {@link ErrorCode#CONFIG_INVALID}
   */
  void check() {
    if (!isLoopback() && !openToAll) {
      throw new CanopyException(
          ErrorCode.CONFIG_INVALID,
          "other machines reach "
              + bindAddress
              + ", and clients need no credentials: everybody who reaches it could read and change"
              + " all data. Listen on "
              + LOOPBACK
              + ", or, in a network where only friends are, say --open-to-all");
    }
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
    if (port != null) {
      return open(node, cluster, port);
    }
    for (int i = 0; ; i++) {
      try {
        return open(node, cluster, WireLimits.DEFAULT_PORT + i);
      } catch (CanopyException e) {
        if (e.code() != ErrorCode.PORT_IN_USE || i == PORTS_TRIED) {
          throw e;
        }
      }
    }
  }

  private Endpoint open(ServedNode node, String cluster, int number) {
    return Endpoint.start(
        node,
        new Endpoint.Settings(
            cluster,
            bindAddress,
            number,
            advertised,
            EndpointLimits.DEFAULTS,
            Authentication.NONE,
            null));
  }
}
