package io.canopygrid.server.endpoint;

import io.canopygrid.ErrorCode;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.WireCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.timeout.ReadTimeoutHandler;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells by the first byte what a new connection speaks: TLS, HTTP or the binary protocol. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails closes the channel, which is heard of
final class FirstBytes extends ByteToMessageDecoder {
  private static final Logger LOG = LoggerFactory.getLogger(FirstBytes.class);
  private static final int TLS_HANDSHAKE = 0x16;
  private static final int HTTP_LINE_MAX = 4_096;
  private static final int HTTP_BODY_MAX = 8_192;
  private static final int FLUSH_AFTER = 64;
  private static final String TIMEOUT = "first-bytes-timeout";

  private final Service service;
  private final @Nullable Supplier<SslContext> tls;

  /**
   * For one connection.
   *
   * @param tls what to speak TLS with; null: it is not spoken, or is spoken already
   */
  FirstBytes(Service service, @Nullable Supplier<SslContext> tls) {
    this.service = service;
    this.tls = tls;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    if (context.pipeline().get(TIMEOUT) == null) {
      context
          .pipeline()
          .addFirst(
              TIMEOUT,
              new ReadTimeoutHandler(service.limits().helloMillis(), TimeUnit.MILLISECONDS));
    }
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    int first = in.getUnsignedByte(in.readerIndex());
    ChannelPipeline pipeline = context.pipeline();
    if (tls != null) {
      if (first != TLS_HANDSHAKE) {
        refuse(context, in, "this port speaks TLS only");
        return;
      }
      pipeline.addAfter(context.name(), "tls", tls.get().newHandler(context.alloc()));
      pipeline.addAfter("tls", "inside-tls", new FirstBytes(service, null));
      pipeline.remove(this);
    } else if (first == 0) {
      pipeline.remove(TIMEOUT);
      FrameDecoder decoder = new FrameDecoder();
      pipeline.addLast(
          new FlushConsolidationHandler(FLUSH_AFTER, true),
          decoder,
          new ClientConnection(service, context.channel(), decoder));
      pipeline.remove(this);
    } else if (first >= 'A' && first <= 'Z') {
      pipeline.addLast(
          new HttpServerCodec(HTTP_LINE_MAX, HTTP_BODY_MAX, HTTP_BODY_MAX),
          new HttpObjectAggregator(HTTP_BODY_MAX),
          new HttpPages(service));
      pipeline.remove(this);
    } else {
      refuse(
          context,
          in,
          first == TLS_HANDSHAKE ? "this port does not speak TLS" : "neither Canopy nor HTTP");
    }
  }

  private void refuse(ChannelHandlerContext context, ByteBuf in, String why) {
    LOG.atWarn()
        .addKeyValue("code", ErrorCode.PROTOCOL_ERROR.id())
        .log(
            "{} closes the connection of {}: {}",
            ErrorCode.PROTOCOL_ERROR,
            context.channel().remoteAddress(),
            why);
    service.metrics().closed(ErrorCode.PROTOCOL_ERROR);
    in.skipBytes(in.readableBytes());
    byte[] goodbye =
        WireCodec.encode(0, new ClientMessage.Goodbye(ErrorCode.PROTOCOL_ERROR.number(), why));
    context.writeAndFlush(Unpooled.wrappedBuffer(goodbye)).addListener(ChannelFutureListener.CLOSE);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.info(
        "the connection of {} is closed before it said what it speaks: {}",
        context.channel().remoteAddress(),
        cause.toString());
    context.close();
  }
}
