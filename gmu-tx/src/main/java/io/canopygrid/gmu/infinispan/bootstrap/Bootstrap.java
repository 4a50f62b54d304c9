package io.canopygrid.gmu.infinispan.bootstrap;

import io.canopygrid.gmu.infinispan.bootstrap.JoinException.Reason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.infinispan.manager.EmbeddedCacheManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the Infinispan of a node that brings its own, and keeps the node from founding a grid that
 * is there already.
 *
 * <p>JGroups takes a node for the first one when no node has answered within {@code join_timeout}.
 * A slow start, a busy machine or a leader that has just died can also be the reason. Such a node
 * would serve on its own, and its data would be lost when the two grids meet. So a node that is
 * alone looks whether any process listens at one of the initial hosts. If so, it stays for a while,
 * since a node that is just starting finds it in that time. Then it starts again, since JGroups
 * asks only when it starts.
 */
public final class Bootstrap {
  private static final Logger LOG = LoggerFactory.getLogger(Bootstrap.class);
  private static final int CONNECT_MILLIS = 500;

  /** More than a start takes on a slow machine; less would end starts that go well. */
  private static final long PATIENCE_MILLIS_MIN = 5_000;

  private static final long STAY_MILLIS_MIN = 2_000;
  private static final long STAY_MILLIS_MAX = 5_000;
  private static final long POLL_MILLIS = 20;

  private final String grid;
  private final long joinTimeoutMillis;
  private final NetworkSettings network;

  /**
   * For one node.
   *
   * @param grid the name of the grid that it joins
   * @param joinTimeoutMillis after which it gives up
   */
  public Bootstrap(String grid, long joinTimeoutMillis, NetworkSettings network) {
    this.grid = grid;
    this.joinTimeoutMillis = joinTimeoutMillis;
    this.network = network;
  }

  /**
   * Starts it.
   *
   * @param mayFound whether this node may be the first one, where no other node is there
   * @throws JoinException where it cannot be started, or is alone and must not be
   */
  public EmbeddedCacheManager start(boolean mayFound) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(joinTimeoutMillis);
    for (; ; ) {
      EmbeddedCacheManager caches = letIn(deadline);
      String objection = isAlone(caches) ? objection(mayFound) : null;
      if (objection == null || (mayFound && isFound(caches, deadline))) {
        return caches;
      }
      caches.stop();
      if (!mayFound || System.nanoTime() - deadline > 0) {
        throw new JoinException(Reason.TIMED_OUT, objection, null);
      }
      LOG.debug("starts again: {}", objection);
    }
  }

  /**
   * Starts as often as it takes to be let in. A node that is not let in has missed a message of the
   * leader, or waits for a node that has; that ends when it leaves and comes again.
   */
  private EmbeddedCacheManager letIn(long deadline) {
    for (; ; ) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      long patience = Math.max(left / 2, PATIENCE_MILLIS_MIN);
      try {
        return OwnInfinispan.start(grid, network, patience);
      } catch (JoinException e) {
        if (e.reason() != Reason.TIMED_OUT) {
          throw e;
        }
        if (System.nanoTime() - deadline > 0) {
          String message =
              "the nodes of grid '%s' have not let this one in within %d ms"
                  .formatted(grid, joinTimeoutMillis);
          throw new JoinException(Reason.TIMED_OUT, message, e);
        }
        LOG.warn("starts again: {}", e.getMessage());
      }
    }
  }

  private static boolean isAlone(EmbeddedCacheManager caches) {
    return caches.getMembers().size() == 1;
  }

  /** Stays for a random time: of two nodes that start together one stays while the other asks. */
  private static boolean isFound(EmbeddedCacheManager caches, long deadline) {
    long millis = ThreadLocalRandom.current().nextLong(STAY_MILLIS_MIN, STAY_MILLIS_MAX);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (isAlone(caches) && System.nanoTime() - end < 0 && System.nanoTime() - deadline < 0) {
      try {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        caches.stop();
        throw new CancellationException("interrupted while starting");
      }
    }
    return !isAlone(caches);
  }

  /** Why a node that is alone must not found the grid; null: it may. */
  private @Nullable String objection(boolean mayFound) {
    if (!mayFound) {
      return "no other node of grid '%s' can be reached".formatted(grid);
    }
    for (InetSocketAddress host : others()) {
      if (listens(host)) {
        return "somebody listens at %s:%d, but is not found to be a node of grid '%s' within %d ms"
            .formatted(host.getHostString(), host.getPort(), grid, joinTimeoutMillis);
      }
    }
    return null;
  }

  private List<InetSocketAddress> others() {
    List<InetSocketAddress> others = new ArrayList<>();
    try {
      InetAddress own = InetAddress.getByName(network.bindAddress());
      for (InetSocketAddress host : OwnInfinispan.initialHosts(network)) {
        if (host.getPort() != network.port() || !own.equals(host.getAddress())) {
          others.add(host);
        }
      }
    } catch (IOException e) {
      throw new JoinException(Reason.FAILED, "cannot resolve " + network.bindAddress(), e);
    }
    return others;
  }

  /** Whether connections are taken there. */
  private static boolean listens(InetSocketAddress host) {
    try (Socket socket = new Socket()) {
      socket.connect(host, CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      LOG.debug("nobody listens at {}: {}", host, e.getMessage());
      return false;
    }
  }
}
