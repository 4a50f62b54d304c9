package io.canopygrid.gmu.infinispan.exchange;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * One grid's questions to other members, each on a connection that the thread that asks has for
 * itself meanwhile. Such a thread wakes one at the member, which takes the question in and answers
 * it; there is nobody between the socket and the one who waits.
 *
 * <p>It is a shorter way, not another promise: what is asked while no connection is free, while a
 * member does not listen, or on one that breaks, goes through the channel. Nobody waits for an
 * answer longer than {@link #WAIT_NANOS_MAX}: then the protocol says it again, through the channel.
 * So the messages must be such as it says again, and may be said twice. Thread-safe.
 */
public final class Exchanges implements AutoCloseable {
  /** As long as the protocol waits before it says a thing again. */
  private static final long WAIT_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(250);

  /** Who serves answers before the other gives it up: what it has to say later goes by channel. */
  private static final long SERVE_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(100);

  private final ExchangeProtocol protocol;
  private final String grid;
  private final Channel channel;
  private final Map<Address, Connections> members = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /** What is around: where messages go in, and how they leave otherwise. */
  public interface Channel {
    /** Takes in a message; the array is the caller's again afterwards. Does not block. */
    void received(Address from, byte[] bytes, int offset, int length);

    /** Sends a message through the channel. Does not block. */
    void send(Address to, ByteBuffer message);
  }

  Exchanges(ExchangeProtocol protocol, String grid, Channel channel) {
    this.protocol = protocol;
    this.grid = grid;
    this.channel = channel;
  }

  /**
   * Runs what sends questions, then asks them and waits for what comes in return. It has not always
   * all that the caller waits for: a member may have to wait for others itself.
   *
   * @param isDone whether the caller has all that it waits for
   * @param deadlineNanos after which nothing is waited for, in the time of {@link System#nanoTime}
   * @return what {@code asking} returns
   */
  public boolean exchange(BooleanSupplier asking, BooleanSupplier isDone, long deadlineNanos) {
    Exchange exchange = new Exchange(this);
    exchange.begin();
    try {
      boolean result = asking.getAsBoolean();
      long now = System.nanoTime();
      exchange.hear(isDone, now + Math.min(WAIT_NANOS_MAX, deadlineNanos - now));
      return result;
    } finally {
      exchange.end();
    }
  }

  /** Takes a message to one whom this thread answers, or whose answer it takes in; false: no. */
  public boolean answers(Address to, ByteBuffer message) {
    Exchange current = Exchange.current(this);
    return current != null && current.answers(to, message);
  }

  /** Takes a question of a thread that waits for its answer; false: it does not. */
  public boolean asks(Address to, ByteBuffer message) {
    Exchange current = Exchange.current(this);
    return current != null && (current.answers(to, message) || current.asks(to, message));
  }

  /** Serves one that has opened a connection, until it is closed. */
  void serve(Address asker, Connection connection) throws IOException {
    Exchange exchange = new Exchange(this);
    exchange.begin();
    try {
      while (!closed) {
        exchange.serve(asker, connection);
        connection.read((bytes, offset, length) -> received(asker, bytes, offset, length));
        exchange.hear(exchange::isAnswered, System.nanoTime() + SERVE_NANOS_MAX);
        exchange.answer();
      }
    } finally {
      exchange.end();
    }
  }

  void received(Address from, byte[] bytes, int offset, int length) {
    if (protocol.arrives(from)) {
      channel.received(from, bytes, offset, length);
    }
  }

  /** One to that member; null: it has to be told through the channel. */
  @Nullable Connection connection(Address to) {
    // An interrupted thread would close whatever connection it uses.
    if (Thread.currentThread().isInterrupted() || !isWithin(to)) {
      return null;
    }
    Connections connections = members.computeIfAbsent(to, this::connections);
    if (!isWithin(to)) {
      // It may be that nobody looks any more.
      members.remove(to, connections);
      connections.close();
      return null;
    }
    return connections.take();
  }

  private boolean isWithin(Address member) {
    return !closed && protocol.isMember(member);
  }

  private Connections connections(Address to) {
    return new Connections(() -> protocol.open(to, grid), protocol::isRun);
  }

  void giveBack(Address to, Connection connection) {
    Connections connections = members.get(to);
    if (connections == null) {
      connection.close();
    } else {
      connections.giveBack(connection);
    }
  }

  void drop(Address to, Connection connection) {
    connection.close();
    Connections connections = members.get(to);
    if (connections != null) {
      connections.drop(connection);
    }
  }

  /** Takes in, on another thread, an answer that this one does not wait for. */
  void hearLater(Address from, Connection connection) {
    Runnable hearing =
        () -> {
          try {
            connection.read((bytes, offset, length) -> received(from, bytes, offset, length));
            giveBack(from, connection);
          } catch (IOException e) {
            drop(from, connection);
          }
        };
    if (!protocol.isRun(hearing)) {
      drop(from, connection);
    }
  }

  void sendOtherwise(Address to, List<ByteBuffer> messages) {
    messages.forEach(message -> channel.send(to, message));
  }

  /** Ends what keeps somebody waiting, and what goes to those who have left. */
  void look(long nowNanos) {
    members.forEach((member, connections) -> {
      if (isWithin(member)) {
        connections.look(nowNanos);
      } else if (members.remove(member, connections)) {
        connections.close();
      }
    });
  }

  boolean isClosed() {
    return closed;
  }

  /** Nobody asks or is served any more. */
  @Override
  public void close() {
    closed = true;
    protocol.leave(grid, this);
    look(System.nanoTime());
  }
}
