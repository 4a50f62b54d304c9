package io.canopygrid.gmu.infinispan.exchange;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * One grid's connections to the other members, and the ways of a message where there is none.
 * Thread-safe.
 */
final class GridConnections implements AutoCloseable {
  private final String grid;
  private final Members others;
  private final ExchangeChannel channel;
  private final Map<Address, Connections> members = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /** The members of the channel, and the way to them. Thread-safe. */
  interface Members {
    /** Whether an address is a member's. */
    boolean isMember(Address address);

    /** Whether the network lets pass what that member has sent. */
    boolean arrives(Address from);

    /** Opens a connection to a member, for which it may wait a while. */
    BlockingConnection open(Address to, String grid) throws IOException;

    /** Runs a task on another thread; false: there is none. */
    boolean isRun(Runnable task);
  }

  GridConnections(String grid, Members others, ExchangeChannel channel) {
    this.grid = grid;
    this.others = others;
    this.channel = channel;
  }

  /** Takes in a message that has come on a connection. */
  void received(Address from, byte[] bytes, int offset, int length) {
    if (others.arrives(from)) {
      channel.received(from, bytes, offset, length);
    }
  }

  /** A connection to a member; null: the message has to go through the channel. */
  @Nullable BlockingConnection take(Address to) {
    // An interrupted thread would close whatever connection it uses.
    if (Thread.currentThread().isInterrupted() || !isWithin(to)) {
      return null;
    }
    Connections connections = members.computeIfAbsent(to, this::connections);
    if (!isWithin(to)) {
      // The member may have left after the last look.
      members.remove(to, connections);
      connections.close();
      return null;
    }
    return connections.take();
  }

  private boolean isWithin(Address member) {
    return !closed && others.isMember(member);
  }

  private Connections connections(Address to) {
    return new Connections(() -> others.open(to, grid), others::isRun);
  }

  void giveBack(Address to, BlockingConnection connection) {
    Connections connections = members.get(to);
    if (connections == null) {
      connection.close();
    } else {
      connections.giveBack(connection);
    }
  }

  void drop(Address to, BlockingConnection connection) {
    connection.close();
    Connections connections = members.get(to);
    if (connections != null) {
      connections.drop(connection);
    }
  }

  /** Takes in, on another thread, an answer for which the calling thread does not wait. */
  void hearLater(Address from, BlockingConnection connection) {
    Runnable hearing =
        () -> {
          try {
            connection.read((bytes, offset, length) -> received(from, bytes, offset, length));
            giveBack(from, connection);
          } catch (IOException e) {
            drop(from, connection);
          }
        };
    if (!others.isRun(hearing)) {
      drop(from, connection);
    }
  }

  /** Sends messages through the channel. */
  void sendOtherwise(Address to, List<ByteBuffer> messages) {
    messages.forEach(message -> channel.send(to, message));
  }

  /**
   * Ends the connections that keep a thread waiting too long, and those to nodes that have left.
   */
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

  /** Ends all connections, and opens no further ones. */
  @Override
  public void close() {
    closed = true;
    look(System.nanoTime());
  }
}
