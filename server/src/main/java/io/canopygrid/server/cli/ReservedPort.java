package io.canopygrid.server.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A port that a process has taken and at which it does not listen yet, so that clients are refused
 * and go elsewhere. Another process, or a connection of this one, cannot take the port meanwhile.
 */
final class ReservedPort implements AutoCloseable {
  private final Socket holder;

  private ReservedPort(Socket holder) {
    this.holder = holder;
  }

  /**
   * Takes a port; 0: any.
   *
   * @throws IOException where it is taken, or the address is not this machine's
   */
  static ReservedPort of(InetSocketAddress address) throws IOException {
    try {
      return bound(address, false);
    } catch (IOException taken) {
      // Connections of a process that has just ended may stand in the way, but not for a listener.
      try (ServerSocket listener = new ServerSocket()) {
        listener.setReuseAddress(true);
        listener.bind(address);
      }
      return bound(address, true);
    }
  }

  private static ReservedPort bound(InetSocketAddress address, boolean reuse) throws IOException {
    Socket holder = new Socket();
    try {
      holder.setReuseAddress(reuse);
      holder.bind(address);
      return new ReservedPort(holder);
    } catch (IOException e) {
      holder.close();
      throw e;
    }
  }

  /** Gives the port free. */
  @Override
  public void close() {
    try {
      holder.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
