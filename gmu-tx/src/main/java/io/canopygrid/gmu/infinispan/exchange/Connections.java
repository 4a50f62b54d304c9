package io.canopygrid.gmu.infinispan.exchange;

import java.io.IOException;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connections that this node has opened to one member. A thread that finds no free one sends
 * another way, and one more is opened for the next thread. Thread-safe.
 */
final class Connections implements AutoCloseable {
  /** Each has a thread at the member. Further threads ask the member another way. */
  private static final int CONNECTIONS_MAX = 32;

  private static final long IDLE_NANOS_MAX = TimeUnit.MINUTES.toNanos(1);

  /** The pause before a member that does not listen is asked again. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final int connectionsMax;
  private final Opener opener;
  private final Predicate<Runnable> executor;
  private final Deque<BlockingConnection> free = new ConcurrentLinkedDeque<>();
  private final Set<BlockingConnection> all = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean opening = new AtomicBoolean();
  private final LongSupplier nanoClock;
  private volatile long notBefore;
  private volatile boolean closed;

  /** Opens a connection, for which it may wait a while. */
  @FunctionalInterface
  interface Opener {
    BlockingConnection open() throws IOException;
  }

  /**
   * The connections to one member.
   *
   * @param executor runs a task on another thread; false: it does not
   */
  Connections(Opener opener, Predicate<Runnable> executor) {
    this(CONNECTIONS_MAX, opener, executor, System::nanoTime);
  }

  Connections(
      int connectionsMax, Opener opener, Predicate<Runnable> executor, LongSupplier nanoClock) {
    this.connectionsMax = connectionsMax;
    this.opener = opener;
    this.executor = executor;
    this.nanoClock = nanoClock;
    this.notBefore = nanoClock.getAsLong();
  }

  /** A connection for the calling thread, until it is given back or dropped; null: none is free. */
  @Nullable BlockingConnection take() {
    BlockingConnection connection = free.poll();
    if (connection == null
        && all.size() < connectionsMax
        && nanoClock.getAsLong() - notBefore >= 0
        && opening.compareAndSet(false, true)
        && !executor.test(this::open)) {
      notOpened();
    }
    return connection;
  }

  private void open() {
    // Another thread may have opened the last one since the caller counted.
    if (all.size() >= connectionsMax) {
      opening.set(false);
      return;
    }
    boolean isOpen = false;
    try {
      BlockingConnection connection = opener.open();
      all.add(connection);
      giveBack(connection);
      isOpen = true;
    } catch (IOException | RuntimeException ignored) {
      // The member does not listen, or has left.
    } finally {
      if (isOpen) {
        opening.set(false);
      } else {
        notOpened();
      }
    }
  }

  private void notOpened() {
    notBefore = nanoClock.getAsLong() + RETRY_NANOS;
    opening.set(false);
  }

  /** The most recently used is the first to be used again, so that the others can go. */
  void giveBack(BlockingConnection connection) {
    connection.rests(nanoClock.getAsLong());
    free.push(connection);
    if (closed) {
      drop(connection);
    }
  }

  void drop(BlockingConnection connection) {
    all.remove(connection);
    free.remove(connection);
    connection.close();
  }

  /** Ends connections whose answer is late, and connections that are not in use. */
  void look(long nowNanos) {
    for (BlockingConnection connection : all) {
      if (connection.isOverdue(nowNanos)) {
        drop(connection);
      } else if (connection.isIdle(nowNanos, IDLE_NANOS_MAX) && free.remove(connection)) {
        drop(connection);
      }
    }
  }

  /** Ends all; a thread that waits for one of them goes on. */
  @Override
  public void close() {
    closed = true;
    all.forEach(this::drop);
  }
}
