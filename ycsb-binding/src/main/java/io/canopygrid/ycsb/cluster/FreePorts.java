package io.canopygrid.ycsb.cluster;

import static io.canopygrid.gmu.infinispan.bootstrap.NetworkSettings.EXCHANGE_PORT_OFFSET;
import static io.canopygrid.gmu.infinispan.bootstrap.NetworkSettings.WATCH_PORT_OFFSET;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Finds ports on which no process listens, below the ports that systems give to outgoing
 * connections. A node with port p uses p + 100 and p + 200 as well. So of each three hundred ports
 * only the first hundred are picked, here and in every process that uses this class.
 */
public final class FreePorts {
  private static final int FIRST = 20_000;
  private static final int LAST = 31_899;
  private static final int HUNDRED = 100;
  private static final int HUNDREDS_OF_A_NODE = 3;
  private static final int TRIES_MAX = 1_000;

  private FreePorts() {}

  /**
   * Picks so many different ports of the loopback address that are free at this moment.
   *
   * @throws IOException if fewer ports are free
   */
  public static List<Integer> pick(int count) throws IOException {
    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i < TRIES_MAX && ports.size() < count; i++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
      boolean mayBeGiven = port / HUNDRED % HUNDREDS_OF_A_NODE == 0;
      if (mayBeGiven
          && !ports.contains(port)
          && IntStream.of(port, port + WATCH_PORT_OFFSET, port + EXCHANGE_PORT_OFFSET)
              .allMatch(FreePorts::isFree)) {
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
