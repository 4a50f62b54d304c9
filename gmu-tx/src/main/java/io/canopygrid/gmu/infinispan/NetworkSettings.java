package io.canopygrid.gmu.infinispan;

import java.util.List;

/**
 * Where a node listens, and where it looks for the others.
 *
 * @param bindAddress a host name or address of this machine
 * @param port 1 to 65,535; it is taken or the node does not start. One more port is taken to watch
 *     the neighbours: this one + 100, or one of the three above it
 * @param initialHosts {@code host:port} of some nodes that may be running, this one included or
 *     not; empty: this is the first node
 */
public record NetworkSettings(String bindAddress, int port, List<String> initialHosts) {
  private static final int PORT_MAX = 65_535;

  public NetworkSettings {
    initialHosts = List.copyOf(initialHosts);
    if (port < 1 || port > PORT_MAX) {
      throw new IllegalArgumentException("must be 1 to " + PORT_MAX + ": port=" + port);
    }
  }
}
