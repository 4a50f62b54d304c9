package io.canopygrid.ycsb.cluster;

import static io.canopygrid.gmu.infinispan.bootstrap.NetworkSettings.EXCHANGE_PORT_OFFSET;
import static io.canopygrid.gmu.infinispan.bootstrap.NetworkSettings.WATCH_PORT_OFFSET;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Finds ports on which no process listens, below the ports that systems give to outgoing
 * connections. A node with port p uses p + 100 and p + 200 as well. So of each three hundred ports
 * only the first hundred are picked.
 *
 * <p>A process that picks has such three hundreds for itself until it ends: it keeps the first of
 * the ports, so that no other process picks there, even while nobody listens at a port that was
 * picked.
 */
public final class FreePorts {
  private static final int FIRST = 20_100;
  private static final int HUNDRED = 100;
  private static final int BLOCK = 3 * HUNDRED;
  private static final int BLOCKS = 39;

  /** The sockets that keep the blocks of this process. */
  private static final List<Socket> KEPT = new ArrayList<>();

  /** The ports of this process, those that were picked last at the end. */
  private static final Deque<Integer> OWN = new ArrayDeque<>();

  private FreePorts() {}

  /**
   * Picks so many different ports of the loopback address that are free at this moment.
   *
   * @throws IOException if fewer ports are free
   */
  public static synchronized List<Integer> pick(int count) throws IOException {
    List<Integer> ports = new ArrayList<>();
    int tried = 0;
    while (ports.size() < count) {
      if (tried == OWN.size()) {
        takeBlock();
      }
      int port = OWN.removeFirst();
      OWN.addLast(port);
      tried++;
      if (IntStream.of(port, port + WATCH_PORT_OFFSET, port + EXCHANGE_PORT_OFFSET)
          .allMatch(FreePorts::isFree)) {
        ports.add(port);
      }
    }
    return ports;
  }

  /** Takes a block that no process has, and makes its ports the next ones. */
  private static void takeBlock() throws IOException {
    // Processes begin at different places: who follows another one does not take over its ports.
    long begin = ProcessHandle.current().pid();
    for (int i = 0; i < BLOCKS; i++) {
      int first = FIRST + (int) ((begin + i) % BLOCKS) * BLOCK;
      Socket keeper = new Socket();
      try {
        keeper.setReuseAddress(false);
        keeper.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), first));
        KEPT.add(keeper);
        for (int port = first + HUNDRED - 1; port > first; port--) {
          OWN.addFirst(port);
        }
        return;
      } catch (IOException taken) {
        keeper.close();
      }
    }
    throw new IOException("no free ports from " + FIRST + " to " + (FIRST + BLOCKS * BLOCK - 1));
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
