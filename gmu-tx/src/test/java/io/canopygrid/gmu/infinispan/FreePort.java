package io.canopygrid.gmu.infinispan;

import static org.awaitility.Awaitility.await;

import io.canopygrid.gmu.infinispan.bootstrap.NetworkSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port of the loopback address, below those that systems give to outgoing connections. Of each
 * three hundred the second and the third hundred are for the ports that nodes take as well.
 */
public final class FreePort {
  /**
   * Tests run in JVMs side by side, each of which has ports of its own: a node that is stopped has
   * to find its port free when it starts again.
   */
  private static final int JVMS = Integer.getInteger("canopy.test.jvms", 1);

  private static final int FIRST_OF_ALL = 12_000;
  private static final int END_OF_ALL = 20_000;
  private static final int HUNDRED = 100;
  private static final int HUNDREDS_OF_A_NODE = 3;
  private static final int GROUP = HUNDRED * HUNDREDS_OF_A_NODE;
  private static final int PORTS = (END_OF_ALL - FIRST_OF_ALL) / JVMS / GROUP * GROUP;
  private static final int FIRST =
      FIRST_OF_ALL + (Integer.getInteger("canopy.test.jvm", 1) - 1) * PORTS;
  private static final int LAST = FIRST + PORTS - 1;
  private static final int TRIES_MAX = 1_000;

  /** A test picks several before it listens on the first. */
  private static final Set<Integer> PICKED = ConcurrentHashMap.newKeySet();

  private FreePort() {}

  /**
   * Waits until nobody listens at a port: a thread that still accepts keeps it for a moment after
   * the end of its node.
   */
  public static void awaitFree(int port) {
    await().until(() -> isFree(port));
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException inUse) {
      return false;
    }
  }

  /** A port that has no listener at this moment and that this JVM has not picked before. */
  public static int pick() {
    IOException last = new IOException("never tried");
    for (int i = 0; i < TRIES_MAX; i++) {
      int any = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
      int port = any - any / HUNDRED % HUNDREDS_OF_A_NODE * HUNDRED;
      try {
        for (int taken : NetworkSettings.portsOf(port).toArray()) {
          new ServerSocket(taken, 1, InetAddress.getLoopbackAddress()).close();
        }
        if (PICKED.add(port)) {
          return port;
        }
      } catch (IOException inUse) {
        last = inUse;
      }
    }
    throw new UncheckedIOException(last);
  }
}
