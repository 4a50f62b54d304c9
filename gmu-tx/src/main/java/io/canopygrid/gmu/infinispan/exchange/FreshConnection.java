package io.canopygrid.gmu.infinispan.exchange;

import io.canopygrid.gmu.infinispan.tls.NodeIdentity;
import io.canopygrid.gmu.infinispan.tls.TlsChannel;
import java.io.IOException;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A connection on which nothing has been said yet: with TLS where the node has an identity.
 *
 * @param socket for the hello
 * @param channel for the frames that follow it
 */
record FreshConnection(Socket socket, ByteChannel channel) {
  private static final int PATIENCE_MILLIS = 1_000;

  /**
   * The side that was called.
   *
   * @throws IOException where the other side is no node
   */
  static FreshConnection accepted(SocketChannel channel, @Nullable NodeIdentity identity)
      throws IOException {
    prepare(channel);
    if (identity == null) {
      return new FreshConnection(channel.socket(), channel);
    }
    try {
      return secured(identity.accept(channel.socket()), channel);
    } catch (IOException e) {
      identity.refused(channel.socket().getInetAddress(), e);
      throw e;
    }
  }

  /**
   * The side that has called.
   *
   * @throws IOException where the other side is no node
   */
  static FreshConnection called(SocketChannel channel, @Nullable NodeIdentity identity)
      throws IOException {
    prepare(channel);
    return identity == null
        ? new FreshConnection(channel.socket(), channel)
        : secured(identity.call(channel.socket()), channel);
  }

  private static void prepare(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.socket().setSoTimeout(PATIENCE_MILLIS);
  }

  private static FreshConnection secured(SSLSocket socket, SocketChannel below) throws IOException {
    return new FreshConnection(socket, new TlsChannel(socket, below));
  }
}
