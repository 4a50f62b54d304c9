package io.canopygrid.gmu.infinispan.bootstrap;

import io.canopygrid.gmu.infinispan.bootstrap.JoinException.Reason;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.infinispan.commons.internal.InternalCacheNames;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.lifecycle.ComponentStatus;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.topology.LocalTopologyManager;
import org.jgroups.JChannel;
import org.jgroups.protocols.pbcast.GMS;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start of an Infinispan that is ended where it takes too long.
 *
 * <p>Infinispan by itself waits for minutes where the running nodes do not let a new one in: it
 * waits until they have handed on a cache of its own, which is empty here. JGroups asks a leader
 * that does not answer as often as it finds that leader.
 */
final class TimedStart {
  private static final Logger LOG = LoggerFactory.getLogger(TimedStart.class);

  /** For leaving the others, which may not answer. */
  private static final long END_SECONDS = 20;

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final JChannel channel;
  private final DefaultCacheManager caches;
  private final GlobalComponentRegistry components;

  /**
   * The start of a cache manager that was not started.
   *
   * @param channel its own; closed where the start is ended
   */
  TimedStart(JChannel channel, DefaultCacheManager caches) {
    this.channel = channel;
    this.caches = caches;
    components = GlobalComponentRegistry.of(caches);
  }

  /**
   * Starts it.
   *
   * @throws JoinException {@link Reason#TIMED_OUT} after that time; the start was ended then, or is
   *     ended as soon as its wait is over
   * @throws CancellationException where the thread is interrupted; so it was ended
   * @throws RuntimeException what Infinispan throws
   */
  void within(long millis) {
    CompletableFuture<Void> start = run("canopy-start", caches::start);
    try {
      start.get(millis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      String stood = whereItStands();
      end(start);
      String message =
          String.format(Locale.ROOT, "not let into the cluster within %d ms: %s", millis, stood);
      throw new JoinException(Reason.TIMED_OUT, message, e);
    } catch (InterruptedException e) {
      end(start);
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while starting");
    } catch (ExecutionException e) {
      throw unwrapped(e);
    }
  }

  private static RuntimeException unwrapped(ExecutionException e) {
    Throwable cause = e.getCause();
    return cause instanceof RuntimeException failure ? failure : new IllegalStateException(cause);
  }

  private String whereItStands() {
    try {
      LocalTopologyManager topologies = components.getComponent(LocalTopologyManager.class);
      return String.format(
          Locale.ROOT,
          "it sees %s, and has %s",
          channel.getView(),
          topologies.getCacheTopology(InternalCacheNames.CONFIG_STATE_CACHE_NAME));
    } catch (RuntimeException e) { // it is failing by itself at this moment
      return String.valueOf(e.getMessage());
    }
  }

  /** Ends the channel last: it cannot be closed while it connects; Infinispan forgets it then. */
  private void end(CompletableFuture<Void> start) {
    GMS membership = channel.getProtocolStack().findProtocol(GMS.class);
    if (membership != null) {
      membership.setMaxJoinAttempts(1); // the one that is under way is the last
    }
    CompletableFuture<Void> stop = run("canopy-start-end", () -> stop(start));
    CompletableFuture<Void> closed =
        CompletableFuture.allOf(start, stop)
            .handle((done, failure) -> failure)
            .thenAccept(this::close);
    try {
      closed.get(END_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      LOG.warn("what was started does not end within {} s", END_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw unwrapped(e);
    }
  }

  /** Stops once the parts begin to start: Infinispan ignores an earlier stop, and starts them. */
  private void stop(CompletableFuture<Void> start) {
    while (components.getStatus() == ComponentStatus.INSTANTIATED && !start.isDone()) {
      LockSupport.parkNanos(POLL_NANOS);
    }
    caches.stop();
  }

  private void close(@Nullable Throwable failure) {
    LOG.debug("the start was ended", failure);
    channel.close();
  }

  private static CompletableFuture<Void> run(String name, Runnable work) {
    return CompletableFuture.runAsync(work, task -> new Thread(task, name).start());
  }
}
