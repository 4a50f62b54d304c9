package io.canopygrid.gmu.infinispan.exchange;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/** Somebody who has opened a connection to this node, from the first moment on. */
final class Served implements AutoCloseable {
  private static final long GREETING_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);

  private final SocketChannel channel;
  private final long since = System.nanoTime();

  /** Null: it has not said who it is. */
  private volatile @Nullable Address asker;

  private volatile @Nullable Exchanges grid;

  Served(SocketChannel channel) {
    this.channel = channel;
  }

  /**
   * Serves until the connection is closed.
   *
   * @throws IOException where it was, or whoever has opened it is not welcome
   */
  void run(ExchangeProtocol protocol) throws IOException {
    // Who is silent for ever without having closed it is found out by the system.
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    Hello hello = Hello.hearOn(channel.socket());
    Exchanges asked = protocol.grid(hello.grid());
    grid = asked;
    asker = hello.from();
    // After that was written: whoever leaves from now on is found here.
    if (asked == null || !protocol.isFor(hello) || asked.isClosed()) {
      throw new IOException("not welcome: " + hello);
    }
    Hello.welcome(channel.socket());
    asked.serve(hello.from(), new Connection(channel));
  }

  /** Whether it goes on asking that grid. */
  boolean asks(Exchanges of) {
    return grid == of;
  }

  /** Whether it takes too long to say who it is, or has left. */
  boolean isToEnd(ExchangeProtocol protocol, long nowNanos) {
    Address from = asker;
    return from == null ? nowNanos - since > GREETING_NANOS_MAX : !protocol.isMember(from);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException ignored) {
      // It is of no use any more in any case.
    }
  }
}
