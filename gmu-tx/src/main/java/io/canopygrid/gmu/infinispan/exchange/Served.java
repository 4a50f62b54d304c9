package io.canopygrid.gmu.infinispan.exchange;

import io.canopygrid.gmu.infinispan.tls.NodeIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/** A connection that another node has opened to this one, from the first moment on. Thread-safe. */
final class Served implements AutoCloseable {
  private static final long HELLO_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);

  private final SocketChannel channel;
  private final @Nullable NodeIdentity identity;
  private final long since = System.nanoTime();

  /** The node that has opened it; null: it has not said yet. */
  private volatile @Nullable Address asker;

  private volatile @Nullable Exchanges grid;

  /**
   * A connection that was accepted.
   *
   * @param identity of this node; null: it has none, and asks for none
   */
  Served(SocketChannel channel, @Nullable NodeIdentity identity) {
    this.channel = channel;
    this.identity = identity;
  }

  /** Says which connections are welcome. Thread-safe. */
  interface Entrance {
    /** The exchanges of a grid; null: this node has no such grid. */
    @Nullable Exchanges grid(String name);

    /**
     * Whether a node that says this is a member, says it from where that member is, and means this
     * node.
     */
    boolean isFor(Hello hello, InetAddress from);
  }

  /**
   * Serves until the connection is closed.
   *
   * @throws IOException where it was closed, or the node that has opened it is not welcome
   */
  void run(Entrance entrance) throws IOException {
    // The system finds out a node that is silent for ever without having closed the connection.
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    FreshConnection fresh = FreshConnection.accepted(channel, identity);
    Hello hello = Hello.hearOn(fresh.socket());
    Exchanges asked = entrance.grid(hello.grid());
    grid = asked;
    asker = hello.from();
    // After the fields are written: a grid or a member that leaves from now on is found here.
    if (asked == null
        || !entrance.isFor(hello, channel.socket().getInetAddress())
        || asked.isClosed()) {
      throw new IOException("not welcome: " + hello);
    }
    Hello.welcome(fresh.socket());
    asked.serve(hello.from(), new BlockingConnection(fresh.channel()));
  }

  /** Whether the other node has said who it is. */
  boolean isKnown() {
    return asker != null;
  }

  /** Whether it asks that grid. */
  boolean asks(Exchanges of) {
    return grid == of;
  }

  /** Whether the other node takes too long to say who it is, or has left. */
  boolean isToEnd(Predicate<Address> members, long nowNanos) {
    Address from = asker;
    return from == null ? nowNanos - since > HELLO_NANOS_MAX : !members.test(from);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException ignored) {
      // The connection is given up in any case.
    }
  }
}
