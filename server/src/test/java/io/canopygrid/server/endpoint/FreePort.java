package io.canopygrid.server.endpoint;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * A port of the loopback address, below those that systems give to outgoing connections: one of
 * these could take it while nobody listens there. Of each three hundred only the first hundred are
 * picked, as a node takes the ports a hundred and two hundred above its own, too.
 */
public final class FreePort {
  private static final int FIRST = 12_000;
  private static final int END = 19_800;
  private static final int HUNDRED = 100;
  private static final int GROUP = 3 * HUNDRED;
  private static final int TRIES_MAX = 1_000;

  /** A test picks several before anybody listens on the first. */
  private static final Set<Integer> PICKED = ConcurrentHashMap.newKeySet();

  private FreePort() {}

  /** A port that has no listener at this moment and that this JVM has not picked before. */
  public static int pick() throws IOException {
    for (int i = 0; i < TRIES_MAX; i++) {
      int group = ThreadLocalRandom.current().nextInt((END - FIRST) / GROUP);
      int port = FIRST + group * GROUP + ThreadLocalRandom.current().nextInt(HUNDRED);
      if (areFree(port, port + HUNDRED, port + 2 * HUNDRED) && PICKED.add(port)) {
        return port;
      }
    }
    throw new IOException("no free port from " + FIRST + " to " + (END - 1));
  }

  private static boolean areFree(int... ports) {
    return IntStream.of(ports).allMatch(FreePort::isFree);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException inUse) {
      return false;
    }
  }
}
