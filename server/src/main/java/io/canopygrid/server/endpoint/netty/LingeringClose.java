package io.canopygrid.server.endpoint.netty;

import io.canopygrid.ErrorCode;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.WireCodec;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;

/**
 * The end of a connection that the server closes for a reason: the client is told the reason, and
 * input that still comes is discarded. A socket that is closed with unread input is reset, and the
 * client's system may then discard the reason before the client has read it; so the server closes
 * only when the client has closed, or after {@link #LINGER_MILLIS}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is handled
final class LingeringClose extends ChannelInboundHandlerAdapter {
  static final long LINGER_MILLIS = 1_000;

  /** The longest text that is sent, in characters. */
  private static final int TEXT_MAX = 2_000;

  private LingeringClose() {}

  /** Sends a goodbye and closes the connection soon; once, on its event loop. */
  static void begin(Channel channel, ErrorCode code, String why) {
    String text = why.length() > TEXT_MAX ? why.substring(0, TEXT_MAX) : why;
    begin(
        channel,
        Unpooled.wrappedBuffer(
            WireCodec.encode(0, new ClientMessage.Goodbye(code.number(), text))));
  }

  /** Sends a last message, which is released, and closes the connection soon. */
  static void begin(Channel channel, Object words) {
    channel.pipeline().addFirst(new LingeringClose());
    channel.config().setAutoRead(true);
    channel
        .writeAndFlush(words)
        .addListener(sent -> {
          if (!sent.isSuccess()) {
            channel.close();
          } else if (channel instanceof DuplexChannel duplex
              && channel.pipeline().get(SslHandler.class) == null) {
            duplex.shutdownOutput();
          }
        });
    channel.eventLoop().schedule(() -> channel.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ReferenceCountUtil.release(message);
  }
}
