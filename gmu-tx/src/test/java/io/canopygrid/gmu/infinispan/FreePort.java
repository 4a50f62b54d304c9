package io.canopygrid.gmu.infinispan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** A port of the loopback address, below those that systems give to outgoing connections. */
final class FreePort {
  private static final int FIRST = 12_000;
  private static final int LAST = 19_899;
  private static final int TRIES_MAX = 1_000;

  private FreePort() {}

  /** One that nobody listens on at this moment. */
  static int pick() {
    IOException last = new IOException("never tried");
    for (int i = 0; i < TRIES_MAX; i++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException inUse) {
        last = inUse;
      }
    }
    throw new UncheckedIOException(last);
  }
}
