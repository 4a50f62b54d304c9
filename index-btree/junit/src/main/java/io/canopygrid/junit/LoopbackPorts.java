package io.canopygrid.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of the loopback address for nodes, below those that systems give to outgoing connections. A
 * node takes the ports 100 and 200 above its own as well: of each three hundred ports only the
 * first hundred are picked.
 */
final class LoopbackPorts {
  private static final int FIRST = 20_100;
  private static final int LAST = 31_799;
  private static final int HUNDRED = 100;
  private static final int HUNDREDS_OF_A_NODE = 3;
  private static final int TRIES_MAX = 1_000;

  private LoopbackPorts() {}

  /** So many different ports that are free at this moment, with those above them. */
  static List<Integer> pick(int count) {
    List<Integer> ports = new ArrayList<>();
    IOException last = new IOException("never tried");
    for (int i = 0; i < TRIES_MAX && ports.size() < count; i++) {
      int any = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
      int port = any - (any - FIRST) / HUNDRED % HUNDREDS_OF_A_NODE * HUNDRED;
      try {
        for (int of = 0; of < HUNDREDS_OF_A_NODE; of++) {
          new ServerSocket(port + of * HUNDRED, 1, InetAddress.getLoopbackAddress()).close();
        }
        if (!ports.contains(port)) {
          ports.add(port);
        }
      } catch (IOException inUse) {
        last = inUse;
      }
    }
    if (ports.size() < count) {
      throw new UncheckedIOException("no " + count + " free ports at the loopback address", last);
    }
    return ports;
  }
}
