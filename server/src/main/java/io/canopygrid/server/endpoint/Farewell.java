package io.canopygrid.server.endpoint;

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
 * The end of a connection that the server closes for a reason: the client is told, and what it
 * still sends is read and thrown away. A socket that is closed with input unread is reset, and the
 * client's system may then throw away the last words before the client has read them; so the server
 * closes only when the client has, or after a moment.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails closes the channel, which is heard of
final class Farewell extends ChannelInboundHandlerAdapter {
  static final long LINGER_MILLIS = 1_000;

  /** The longest text that is sent, in characters. */
  private static final int TEXT_MAX = 2_000;

  private Farewell() {}

  /** Says goodbye; the connection is closed soon. On its event loop, once. */
  static void say(Channel channel, ErrorCode code, String why) {
    String text = why.length() > TEXT_MAX ? why.substring(0, TEXT_MAX) : why;
    say(
        channel,
        Unpooled.wrappedBuffer(
            WireCodec.encode(0, new ClientMessage.Goodbye(code.number(), text))));
  }

  /** The same in other words, which are released. */
  static void say(Channel channel, Object words) {
    channel.pipeline().addFirst(new Farewell());
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

  /** Without anything that could break the text of a log or of a message. */
  static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ReferenceCountUtil.release(message);
  }
}
