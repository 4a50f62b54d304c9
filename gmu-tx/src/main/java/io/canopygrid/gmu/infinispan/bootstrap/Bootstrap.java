package io.canopygrid.gmu.infinispan.bootstrap;

import io.canopygrid.gmu.infinispan.bootstrap.JoinException.Reason;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
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
 * alone asks the {@linkplain FoundingRule rule}. Where that objects, the node stays for a while,
 * since a node that is just starting finds it in that time. Then it starts again: JGroups asks only
 * when it starts.
 */
public final class Bootstrap {
  private static final Logger LOG = LoggerFactory.getLogger(Bootstrap.class);

  /** So often a node that waits says for whom. */
  private static final long NOTICE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** More than a start takes on a slow machine; less would end starts that go well. */
  private static final long PATIENCE_MILLIS_MIN = 5_000;

  private static final long STAY_MILLIS_MIN = 2_000;
  private static final long STAY_MILLIS_MAX = 5_000;
  private static final long POLL_MILLIS = 20;

  private final String grid;
  private final long joinTimeoutMillis;
  private final NetworkSettings network;
  private final Consumer<EmbeddedCacheManager> announce;
  private final FoundingRule rule;

  /** When the next line says for whom this node waits. */
  private long nextNotice = System.nanoTime();

  /**
   * An Infinispan that runs.
   *
   * @param caches started
   * @param objection says why this node must not found the grid together with those that it sees
   *     then; null: it may
   */
  public record Started(EmbeddedCacheManager caches, Supplier<@Nullable String> objection) {}

  /**
   * For one node.
   *
   * @param grid the name of the grid that it joins
   * @param joinTimeoutMillis after which it gives up
   * @param announce tells an Infinispan that has not started of the grid's cache
   */
  public Bootstrap(
      String grid,
      long joinTimeoutMillis,
      NetworkSettings network,
      Consumer<EmbeddedCacheManager> announce) {
    this.grid = grid;
    this.joinTimeoutMillis = joinTimeoutMillis;
    this.network = network;
    this.announce = announce;
    rule = new FoundingRule(grid, joinTimeoutMillis, network);
  }

  /** Why a JGroups stack file cannot be used, in words; null: it can. Starts nothing. */
  public static @Nullable String stackProblem(Path stack) {
    return OwnInfinispan.stackProblem(stack);
  }

  /**
   * Starts it. A node that is alone and must not found the grid starts again until the time to join
   * is over, and says for whom it waits.
   *
   * @param mayFound whether this node may be the first one, where no other node is there
   * @param isStored whether it has a grid on its disk, which it founds again with other disks only
   * @throws JoinException where it cannot be started, or is alone and must not be
   */
  public Started start(boolean mayFound, boolean isStored) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(joinTimeoutMillis);
    for (; ; ) {
      EmbeddedCacheManager caches = letIn(deadline);
      if (!mayFound) {
        return joined(caches);
      }
      String objection = rule.objection(caches, isStored);
      if (objection == null) {
        return new Started(caches, () -> null);
      }
      if (!isAlone(caches) || isFound(caches, deadline)) {
        return new Started(caches, () -> rule.objection(caches, isStored));
      }
      caches.stop();
      if (System.nanoTime() - deadline > 0) {
        throw new JoinException(Reason.TIMED_OUT, objection, null);
      }
      waits(objection);
    }
  }

  private Started joined(EmbeddedCacheManager caches) {
    if (!isAlone(caches)) {
      return new Started(caches, () -> null);
    }
    caches.stop();
    String message = String.format(Locale.ROOT, "no other node of grid '%s' can be reached", grid);
    throw new JoinException(Reason.TIMED_OUT, message, null);
  }

  private void waits(String objection) {
    if (System.nanoTime() - nextNotice >= 0) {
      nextNotice = System.nanoTime() + NOTICE_NANOS;
      LOG.warn("waits to join grid '{}': {}", grid, objection);
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
        return OwnInfinispan.start(grid, network, announce, patience);
      } catch (JoinException e) {
        if (e.reason() != Reason.TIMED_OUT) {
          throw e;
        }
        if (System.nanoTime() - deadline > 0) {
          throw new JoinException(Reason.TIMED_OUT, notStarted(), e);
        }
        LOG.warn("starts again: {}", e.getMessage());
      }
    }
  }

  private String notStarted() {
    return rule.isSomebodyThere()
        ? String.format(
            Locale.ROOT,
            "the nodes of grid '%s' have not let this one in within %d ms",
            grid,
            joinTimeoutMillis)
        : String.format(
            Locale.ROOT,
            "the network of this node has not started within %d ms; none of the configured members"
                + " of grid '%s' listens. The machine may be overloaded: try again, with a longer"
                + " joinTimeout where that does not help",
            joinTimeoutMillis,
            grid);
  }

  /**
   * A random time for which a node stays that may not found the grid yet: of two nodes that start
   * together one stays while the other asks.
   */
  public static long stayMillis() {
    return ThreadLocalRandom.current().nextLong(STAY_MILLIS_MIN, STAY_MILLIS_MAX);
  }

  private static boolean isAlone(EmbeddedCacheManager caches) {
    return caches.getMembers().size() == 1;
  }

  /** Stays for a while, and says whether another node has found this one. */
  private static boolean isFound(EmbeddedCacheManager caches, long deadline) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(stayMillis());
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
}
