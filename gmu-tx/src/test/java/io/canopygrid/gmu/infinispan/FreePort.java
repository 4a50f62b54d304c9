package io.canopygrid.gmu.infinispan;

import static io.canopygrid.gmu.infinispan.NetworkSettings.WATCH_PORT_OFFSET;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port of the loopback address, below those that systems give to outgoing connections. Of each
 * two hundred the second hundred is for the ports that nodes take as well.
 */
final class FreePort {
  private static final int FIRST = 12_000;
  private static final int LAST = 19_899;
  private static final int TRIES_MAX = 1_000;

  private FreePort() {}

  /** One that nobody listens on at this moment. */
  static int pick() {
    IOException last = new IOException("never tried");
    for (int i = 0; i < TRIES_MAX; i++) {
      int any = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
      int port = any / WATCH_PORT_OFFSET % 2 == 0 ? any : any - WATCH_PORT_OFFSET;
      try (ServerSocket own = listen(port);
          ServerSocket watch = listen(port + WATCH_PORT_OFFSET)) {
        return Math.min(own.getLocalPort(), watch.getLocalPort());
      } catch (IOException inUse) {
        last = inUse;
      }
    }
    throw new UncheckedIOException(last);
  }

  private static ServerSocket listen(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }
}
