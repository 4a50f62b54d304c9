package io.canopygrid.server.endpoint.netty;

import io.canopygrid.ErrorCode;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslContext;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells by the first byte what a connection speaks at a port whose node waits: TLS, HTTP, else. */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, too
final class WaitingDetector extends ByteToMessageDecoder {
  private static final Logger LOG = LoggerFactory.getLogger(WaitingDetector.class);
  private static final int HTTP_BYTES_MAX = 8_192;

  private final @Nullable Supplier<SslContext> tls;
  private final WaitingNode node;
  private final Executor blocking;

  /**
   * A detector for one connection.
   *
   * @param tls the TLS settings; null: TLS is not spoken, or is spoken already
   * @param blocking runs what may take some seconds
   */
  WaitingDetector(@Nullable Supplier<SslContext> tls, WaitingNode node, Executor blocking) {
    this.tls = tls;
    this.node = node;
    this.blocking = blocking;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    int first = in.getUnsignedByte(in.readerIndex());
    if (tls != null && first == ProtocolDetector.TLS_HANDSHAKE) {
      context
          .pipeline()
          .addAfter(context.name(), "tls", tls.get().newHandler(context.alloc()))
          .addAfter("tls", "inside-tls", new WaitingDetector(null, node, blocking));
      context.pipeline().remove(this);
    } else if (tls == null && ProtocolDetector.isHttp(first)) {
      context
          .pipeline()
          .addLast(
              new HttpServerCodec(HTTP_BYTES_MAX, HTTP_BYTES_MAX, HTTP_BYTES_MAX),
              new WholeRequests(HTTP_BYTES_MAX),
              new WaitingPages(node, blocking));
      context.pipeline().remove(this);
    } else {
      in.skipBytes(in.readableBytes());
      if (tls == null && first == 0) {
        LingeringClose.begin(context.channel(), ErrorCode.NOT_CONNECTED, node.why());
      } else {
        context.close();
      }
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.debug("a connection of {} ends", context.channel().remoteAddress(), cause);
    context.close();
  }
}
