package io.canopygrid.gmu.infinispan.exchange;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jgroups.Address;

/**
 * One grid's questions to other members, each on a connection that the asking thread has for itself
 * meanwhile. A question wakes one thread at the member, which takes it in and answers it; no thread
 * stands between the socket and the thread that waits.
 *
 * <p>The connections are a shorter way, not another promise. A question goes through the channel
 * while no connection is free, while a member does not listen, or where a connection breaks. No
 * thread waits for an answer longer than {@link #WAIT_NANOS_MAX}; then the protocol says it again,
 * through the channel. So the protocol must say these messages again, and must be able to take them
 * in twice. Thread-safe.
 */
public final class Exchanges implements AutoCloseable {
  /** As long as the protocol waits before it says a thing again. */
  private static final long WAIT_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(250);

  /** A thread answers before the other side gives up; a later answer goes through the channel. */
  private static final long SERVE_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(100);

  private final GridConnections connections;
  private final Consumer<Exchanges> leave;
  private volatile long waitNanosMax = WAIT_NANOS_MAX;
  private volatile long serveNanosMax = SERVE_NANOS_MAX;

  Exchanges(GridConnections connections, Consumer<Exchanges> leave) {
    this.connections = connections;
    this.leave = leave;
  }

  /** Has threads wait for answers for longer or shorter than by default; for tests. */
  void waitAtMost(long asksNanos, long servesNanos) {
    waitNanosMax = asksNanos;
    serveNanosMax = servesNanos;
  }

  /**
   * Runs an action that sends questions, then asks them and waits for the answers. When it returns
   * the caller may have to wait for more, since a member may have to wait for others itself.
   *
   * @param isDone whether the caller has all that it waits for
   * @param deadlineNanos after which nothing is waited for, in the time of {@link System#nanoTime}
   * @return what {@code asking} returns
   */
  public boolean exchange(BooleanSupplier asking, BooleanSupplier isDone, long deadlineNanos) {
    Exchange exchange = new Exchange(connections);
    exchange.begin();
    try {
      boolean result = asking.getAsBoolean();
      long now = System.nanoTime();
      exchange.hear(isDone, now + Math.min(waitNanosMax, deadlineNanos - now));
      return result;
    } finally {
      exchange.end();
    }
  }

  /**
   * Takes a message to a member that this thread answers, or whose answer it takes in.
   *
   * @return false: it is none
   */
  public boolean answers(Address to, ByteBuffer message) {
    Exchange current = Exchange.current(connections);
    return current != null && current.answers(to, message);
  }

  /** Takes a question of a thread that waits for its answer; false: the thread does not wait. */
  public boolean asks(Address to, ByteBuffer message) {
    Exchange current = Exchange.current(connections);
    return current != null && (current.answers(to, message) || current.asks(to, message));
  }

  /** Serves a member that has opened a connection, until the connection is closed. */
  void serve(Address asker, BlockingConnection connection) throws IOException {
    Exchange exchange = new Exchange(connections);
    exchange.begin();
    try {
      while (!isClosed()) {
        exchange.serve(asker, connection);
        connection.read(
            (bytes, offset, length) -> connections.received(asker, bytes, offset, length));
        exchange.hear(exchange::isAnswered, System.nanoTime() + serveNanosMax);
        exchange.answer();
      }
    } finally {
      exchange.end();
    }
  }

  /** Ends what keeps a thread waiting too long, and what goes to nodes that have left. */
  void look(long nowNanos) {
    connections.look(nowNanos);
  }

  boolean isClosed() {
    return connections.isClosed();
  }

  /** No thread asks and no member is served any more. */
  @Override
  public void close() {
    connections.close();
    leave.accept(this);
  }
}
