package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException;
import io.canopygrid.gmu.infinispan.bootstrap.JoinException.Reason;
import io.canopygrid.gmu.node.ForwardingNode;
import io.canopygrid.gmu.node.GmuCounters;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.HostedNode;
import io.canopygrid.gmu.spi.DataPlace;
import io.canopygrid.gmu.spi.NodeCalls;
import io.canopygrid.gmu.spi.Traffic;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.store.VersionChain;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node that becomes a member again by itself after it was cut off for so long that the others
 * have gone on without it. It joins as a new member, under a new id. Until it has joined,
 * transactions are refused ({@link io.canopygrid.gmu.node.NodeClosedException#comesBack}).
 */
final class RejoiningNode extends ForwardingNode {
  private static final Logger LOG = LoggerFactory.getLogger(RejoiningNode.class);
  private static final long FIRST_PAUSE_MILLIS = 200;
  private static final long PAUSE_MILLIS_MAX = 5_000;

  /** A grid that was founded just now gets the entry that tells it from others in less. */
  private static final long MARK_POLLS_MAX = 500;

  private static final long MARK_POLL_MILLIS = 20;

  private final Joining join;
  private final DataPlace dataPlace;

  private Traffic traffic = Traffic.NONE;
  private final List<GrowthListener> listeners = new CopyOnWriteArrayList<>();
  private volatile HostedNode node;

  /** Why it cannot become a member again; null: it can. */
  private volatile @Nullable Throwable failure;

  /** The counts of the nodes before the present one. */
  private volatile GmuCounters past = GmuCounters.NONE;

  /** The calls across the nodes' lives: the present server serves the next nodes too. */
  private final NodeCalls calls = new LastingCalls();

  /** Makes a node a member. */
  interface Joining {
    /**
     * Returns a member.
     *
     * @param expelled is run when the node was expelled and has ended
     * @param mayFound whether it may be the first node; a grid that it was expelled from exists
     * @throws JoinException as {@link InfinispanGrid#join}
     */
    HostedNode join(Runnable expelled, boolean mayFound);
  }

  /** The entry of TOP that tells the grid from others; null: it is not known yet. */
  private volatile @Nullable Mark mark;

  /** An entry of TOP. */
  private record Mark(CompositeKey key, byte[] value) {}

  // Guarded by this object.
  private NodeCalls.@Nullable Server server;
  private boolean closed;
  private @Nullable Thread rejoining;

  /**
   * Joins for the first time.
   *
   * @throws JoinException as {@link InfinispanGrid#join}
   */
  RejoiningNode(Joining join, DataPlace dataPlace) {
    this.join = join;
    this.dataPlace = dataPlace;
    try {
      this.node = join.join(this::expelled, true);
    } catch (RuntimeException e) {
      // The node may have been a member for a moment; if it rejoined, nothing would ever close it.
      endRejoining();
      throw e;
    }
  }

  /** Called at the end of the old node's life, on a thread of its own. */
  private void expelled() {
    synchronized (this) {
      if (closed) {
        return;
      }
      rejoining = Thread.currentThread();
    }
    try {
      rejoin();
    } catch (InterruptedException | CancellationException e) {
      Thread.currentThread().interrupt();
      LOG.debug("closed while it was joining again");
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    } finally {
      synchronized (this) {
        rejoining = null;
        notifyAll();
      }
    }
  }

  private void rejoin() throws InterruptedException {
    for (long pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(2 * pause, PAUSE_MILLIS_MAX)) {
      TimeUnit.MILLISECONDS.sleep(pause);
      try {
        HostedNode next = join.join(this::expelled, false);
        if (!isOfSameGrid(next)) {
          stop(next); // before a caller can reach it
        }
        if (!replace(next)) {
          next.close();
        }
        return;
      } catch (JoinException e) {
        if (isForGood(e)) {
          LOG.error("cannot join again: {}", e.getMessage());
          failure = e.getCause() instanceof StorageException disk ? disk : e;
          return;
        }
        if (isClosed()) {
          return;
        }
        LOG.warn("cannot join again, will try once more: {}", e.getMessage());
      }
    }
  }

  /** Whether to try again cannot help: the disk has failed, or the others are another grid. */
  private static boolean isForGood(JoinException e) {
    return e.getCause() instanceof StorageException || e.reason() == Reason.SETTINGS_DIFFER;
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /** Whether the grid that it has joined is the one that it was expelled from. */
  private boolean isOfSameGrid(HostedNode next) throws InterruptedException {
    Mark known = mark;
    if (known == null) {
      return true;
    }
    try {
      for (int poll = 0; poll < MARK_POLLS_MAX; poll++) {
        VersionChain entry = next.top().get(known.key().bytes());
        byte[] value = entry == null ? null : entry.value();
        if (value != null) {
          return Arrays.equals(value, known.value());
        }
        TimeUnit.MILLISECONDS.sleep(MARK_POLL_MILLIS);
      }
      return false;
    } catch (InterruptedException e) {
      next.close();
      throw e;
    }
  }

  /** Ends it for good: its callers know clocks and numbers of a grid that is no more. */
  private void stop(HostedNode next) {
    JoinException why =
        new JoinException(
            Reason.GRID_REPLACED,
            "the other nodes were started anew while this one was cut off, and are of another grid:"
                + " start it anew to join that one",
            null);
    failure = why;
    LOG.error("{} stops: {}", next.self(), why.getMessage());
    next.halt(why);
  }

  /** False: closed meanwhile. */
  private synchronized boolean replace(HostedNode next) {
    if (closed) {
      return false;
    }
    past = past.plus(node.counters());
    listeners.forEach(next::onGrowth);
    next.tellTraffic(traffic);
    if (server != null) {
      next.calls().serve(server);
    }
    node = next;
    return true;
  }

  @Override
  protected GmuNode node() {
    return node;
  }

  @Override
  public DataPlace dataPlace() {
    return dataPlace;
  }

  @Override
  public @Nullable Throwable failure() {
    Throwable why = failure;
    return why == null ? node.failure() : why;
  }

  @Override
  public void belongsWhere(CompositeKey key, byte[] value) {
    mark = new Mark(key, value.clone());
  }

  @Override
  public synchronized void onGrowth(GrowthListener listener) {
    listeners.add(listener);
    node.onGrowth(listener);
  }

  @Override
  public synchronized void tellTraffic(Traffic listener) {
    traffic = listener;
    node.tellTraffic(listener);
  }

  @Override
  public NodeCalls calls() {
    return calls;
  }

  private final class LastingCalls implements NodeCalls {
    @Override
    public CompletableFuture<byte[]> ask(NodeId to, byte[] question) {
      return node.calls().ask(to, question);
    }

    @Override
    public void serve(Server answers) {
      synchronized (RejoiningNode.this) {
        server = answers;
        node.calls().serve(answers);
      }
    }
  }

  @Override
  public GmuCounters counters() {
    return past.plus(node.counters());
  }

  @Override
  public void prepareToLeave() {
    endRejoining();
    node.prepareToLeave();
  }

  @Override
  public void close() {
    endRejoining();
    node.close();
  }

  private void endRejoining() {
    boolean interrupted = false;
    synchronized (this) {
      closed = true;
      while (rejoining != null) {
        rejoining.interrupt();
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
