package io.canopygrid.client.netty;

import io.netty.channel.socket.nio.NioSocketChannel;
import java.nio.channels.SocketChannel;

/** A channel of Netty whose socket other threads than its event loop read and write, too. */
final class OpenSocket extends NioSocketChannel {
  /** The socket, which does not block. */
  SocketChannel socket() {
    return javaChannel();
  }
}
