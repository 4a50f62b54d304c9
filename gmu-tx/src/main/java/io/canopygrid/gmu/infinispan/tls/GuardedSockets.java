package io.canopygrid.gmu.infinispan.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import javax.net.ServerSocketFactory;

/** Makes server sockets that hand out connections of nodes of the cluster only. */
final class GuardedSockets extends ServerSocketFactory {
  private final NodeIdentity identity;

  GuardedSockets(NodeIdentity identity) {
    this.identity = identity;
  }

  @Override
  public ServerSocket createServerSocket() throws IOException {
    return new GuardedServerSocket(identity);
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    return new GuardedServerSocket(identity, port, 0, null);
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog) throws IOException {
    return new GuardedServerSocket(identity, port, backlog, null);
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog, InetAddress address)
      throws IOException {
    return new GuardedServerSocket(identity, port, backlog, address);
  }
}
