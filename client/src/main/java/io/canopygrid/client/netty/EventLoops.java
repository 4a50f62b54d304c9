package io.canopygrid.client.netty;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ThreadFactory;

/** Starts the threads of a client, with Netty 4.2 or with 4.1, which many frameworks bring. */
final class EventLoops {
  private EventLoops() {}

  @SuppressWarnings("deprecation") // in 4.2, and all that 4.1 has
  static EventLoopGroup start(int threads) {
    ThreadFactory factory = new DefaultThreadFactory("canopy-client", true);
    try {
      return new MultiThreadIoEventLoopGroup(threads, factory, NioIoHandler.newFactory());
    } catch (NoClassDefFoundError netty41) {
      return new NioEventLoopGroup(threads, factory);
    }
  }
}
