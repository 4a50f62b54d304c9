package io.canopygrid.gmu.infinispan.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import javax.net.ServerSocketFactory;
import javax.net.SocketFactory;
import org.jgroups.util.DefaultSocketFactory;
import org.jspecify.annotations.Nullable;

/** Makes sockets with TLS, which are connected to nodes only. */
public final class SecuredSockets extends SocketFactory {
  private final NodeIdentity identity;

  private SecuredSockets(NodeIdentity identity) {
    this.identity = identity;
  }

  /** The sockets of a transport of JGroups, at a node with that identity. */
  public static org.jgroups.util.SocketFactory of(NodeIdentity identity) {
    return new DefaultSocketFactory(new SecuredSockets(identity), new Listening(identity));
  }

  @Override
  public Socket createSocket() {
    return new SecuredSocket(identity);
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return createSocket(InetAddress.getByName(host), port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port), null);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress from, int fromPort)
      throws IOException {
    return createSocket(InetAddress.getByName(host), port, from, fromPort);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort)
      throws IOException {
    return connected(new InetSocketAddress(host, port), new InetSocketAddress(from, fromPort));
  }

  private Socket connected(SocketAddress to, @Nullable SocketAddress from) throws IOException {
    Socket socket = createSocket();
    socket.bind(from);
    socket.connect(to);
    return socket;
  }

  /** Makes server sockets that hand out connections of nodes only. */
  private static final class Listening extends ServerSocketFactory {
    private final NodeIdentity identity;

    Listening(NodeIdentity identity) {
      this.identity = identity;
    }

    @Override
    public ServerSocket createServerSocket() throws IOException {
      return new GuardedServerSocket(identity);
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
      return createServerSocket(port, 0);
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog) throws IOException {
      return bound(new InetSocketAddress(port), backlog);
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog, InetAddress address)
        throws IOException {
      return bound(new InetSocketAddress(address, port), backlog);
    }

    private ServerSocket bound(SocketAddress at, int backlog) throws IOException {
      ServerSocket socket = createServerSocket();
      socket.bind(at, backlog);
      return socket;
    }
  }
}
