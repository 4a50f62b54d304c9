package io.canopygrid.client.netty;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.WireCodec;
import io.canopygrid.wire.client.WireLimits;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The last handler of a channel: says Hello and who is asking, then hands all that comes to the
 * {@link Connection} that it makes. Confined to the channel's thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what cannot be sent ends the connection
final class Handshake extends SimpleChannelInboundHandler<WireCodec.Framed> {
  /** A server that answers nothing for so many pings is taken for dead. */
  private static final int PINGS_MAX = 3;

  private static final long PING_MILLIS_MIN = 1_000;

  private final String address;
  private final UUID client;
  private final @Nullable GridId grid;
  private final ConnectSettings options;
  private final CompletableFuture<Connection> opened;

  private Reply.@Nullable Welcome welcome;
  private @Nullable Login login;
  private @Nullable Connection connection;
  private int pings;

  Handshake(
      String address,
      UUID client,
      @Nullable GridId grid,
      ConnectSettings options,
      CompletableFuture<Connection> opened) {
    this.address = address;
    this.client = client;
    this.grid = grid;
    this.options = options;
    this.opened = opened;
  }

  /** Called when bytes can be sent: after the TLS handshake where there is one. */
  void begin(ChannelHandlerContext context) {
    say(
        context,
        new Request.Hello(
            WireLimits.VERSION,
            WireLimits.VERSION,
            WireLimits.FEATURES,
            client,
            "canopy-java",
            grid));
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, WireCodec.Framed framed) {
    pings = 0;
    if (connection != null) {
      connection.received(framed);
      return;
    }
    try {
      step(context, framed.message());
    } catch (CanopyException e) {
      fail(context, new LostConnectionException(e.code(), e.detail(), false));
    }
  }

  private void step(ChannelHandlerContext context, ClientMessage message) {
    if (message instanceof Reply.Welcome said && welcome == null) {
      welcome = said;
      if (said.mechanisms().isEmpty()) {
        open(context, said);
      } else {
        login = new Login(said.mechanisms(), options.user(), options.password());
        say(context, login.begin());
      }
    } else if (message instanceof Reply.Challenge challenge && login != null && welcome != null) {
      Request.Authenticate next = login.next(challenge);
      if (next == null) {
        open(context, welcome);
      } else {
        say(context, next);
      }
    } else if (message instanceof ClientMessage.Goodbye goodbye) {
      fail(context, ClosingErrors.meaning(goodbye));
    } else if (message instanceof Reply.Failure failure) {
      CanopyException e = failure.toException();
      fail(context, new LostConnectionException(ClosingErrors.codeOf(e.code()), e.detail(), false));
    } else {
      fail(
          context,
          new LostConnectionException(
              ErrorCode.PROTOCOL_ERROR, "said " + message.getClass().getSimpleName(), false));
    }
  }

  private void open(ChannelHandlerContext context, Reply.Welcome said) {
    long pingMillis =
        Math.max(PING_MILLIS_MIN, Math.min(options.pingMillis(), said.limits().idleMillis() / 3));
    IdleStateHandler idle = new IdleStateHandler(pingMillis, pingMillis, 0, TimeUnit.MILLISECONDS);
    context.pipeline().addBefore(context.name(), "idle", idle);
    Connection made = connection(context.channel(), said, idle);
    connection = made;
    if (!opened.complete(made)) {
      made.close("it came too late");
    }
  }

  /** A connection that is read and written by the threads that use it, where there is no TLS. */
  private Connection connection(Channel channel, Reply.Welcome said, IdleStateHandler idle) {
    if (options.tls() || !(channel instanceof OpenSocket open)) {
      return new Connection(address, channel, said, null);
    }
    SocketChannel socket = open.socket();
    Connection made = new Connection(address, channel, said, socket);
    Frames frames = channel.pipeline().get(FrameDecoder.class).frames();
    try {
      made.readBy(
          SharedReading.of(channel, socket, frames, idle, made.listener(), () -> pings = 0));
    } catch (IOException e) {
      // The process has no room for another selector: the event loop goes on reading.
    }
    return made;
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof IdleStateEvent idle) {
      if (idle.state() == IdleState.READER_IDLE && ++pings > PINGS_MAX) {
        lost("it has not answered for a while");
        context.close();
      } else if (connection != null) {
        connection.say(new ClientMessage.Ping(pings));
      }
    }
    context.fireUserEventTriggered(event);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    lost(ClosingErrors.CLOSED);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Throwable root =
        cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
    fail(context, ClosingErrors.of(root));
  }

  private void lost(String why) {
    LostConnectionException e =
        new LostConnectionException(ErrorCode.NOT_CONNECTED, why, connection != null);
    opened.completeExceptionally(e);
    if (connection != null) {
      connection.end(e);
    }
  }

  private void fail(ChannelHandlerContext context, LostConnectionException why) {
    opened.completeExceptionally(why);
    if (connection != null) {
      connection.end(why);
    }
    context.close();
  }

  private static void say(ChannelHandlerContext context, ClientMessage message) {
    context.writeAndFlush(
        Unpooled.wrappedBuffer(WireCodec.encode(0, message)), context.voidPromise());
  }
}
