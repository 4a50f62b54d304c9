package io.canopygrid.ycsb.cluster;

import static io.canopygrid.gmu.infinispan.NetworkSettings.WATCH_PORT_OFFSET;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds ports that nobody listens on, below those that systems give to outgoing connections. A node
 * takes its port + 100 as well: so of each two hundred ports the second hundred is never given to
 * anybody, here or in a process that does the same.
 */
public final class FreePorts {
  private static final int FIRST = 20_000;
  private static final int LAST = 31_999;
  private static final int TRIES_MAX = 1_000;

  private FreePorts() {}

  /**
   * So many different ports of the loopback address, free at this moment.
   *
   * @throws IOException if there are not as many
   */
  public static List<Integer> pick(int count) throws IOException {
    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i < TRIES_MAX && ports.size() < count; i++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
      boolean isSecond = port / WATCH_PORT_OFFSET % 2 == 1;
      if (!isSecond && !ports.contains(port) && isFree(port) && isFree(port + WATCH_PORT_OFFSET)) {
        ports.add(port);
      }
    }
    if (ports.size() < count) {
      throw new IOException("no " + count + " free ports from " + FIRST + " to " + LAST);
    }
    return ports;
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException inUse) {
      return false;
    }
  }
}
