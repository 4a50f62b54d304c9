package io.canopygrid.server.endpoint;

import io.canopygrid.ErrorCode;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells by the first byte what a new connection speaks: TLS, HTTP or the binary protocol. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails closes the channel, which is heard of
final class FirstBytes extends ByteToMessageDecoder {
  private static final Logger LOG = LoggerFactory.getLogger(FirstBytes.class);

  /** The name of the connection's {@link FirstWordDeadline}. */
  static final String DEADLINE = "first-word-deadline";

  private static final int TLS_HANDSHAKE = 0x16;
  private static final int HTTP_LINE_MAX = 4_096;
  private static final int HTTP_BODY_MAX = 8_192;
  private static final int FLUSH_AFTER = 64;

  private final Service service;
  private final @Nullable Supplier<SslContext> tls;
  private boolean refused;

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
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (refused) {
      in.skipBytes(in.readableBytes());
      return;
    }
    int first = in.getUnsignedByte(in.readerIndex());
    ChannelPipeline pipeline = context.pipeline();
    if (tls != null) {
      if (first == TLS_HANDSHAKE) {
        beginTls(context, tls.get());
      } else {
        refuse(context, in, isHttp(first), "this port speaks TLS only");
      }
    } else if (first == 0) {
      pipeline.remove(DEADLINE);
      FrameDecoder decoder = new FrameDecoder();
      pipeline.addLast(
          new FlushConsolidationHandler(FLUSH_AFTER, true),
          decoder,
          new ClientConnection(service, context.channel(), decoder));
      pipeline.remove(this);
    } else if (isHttp(first)) {
      pipeline.remove(DEADLINE);
      pipeline.addLast(
          new HttpServerCodec(HTTP_LINE_MAX, HTTP_BODY_MAX, HTTP_BODY_MAX),
          new WholeRequests(HTTP_BODY_MAX),
          new HttpPages(service));
      pipeline.remove(this);
    } else if (first == TLS_HANDSHAKE) {
      refuse(context, in, false, "this port does not speak TLS");
    } else {
      refuse(context, in, false, "neither Canopy nor HTTP");
    }
  }

  private static boolean isHttp(int first) {
    return first >= 'A' && first <= 'Z';
  }

  private void beginTls(ChannelHandlerContext context, SslContext settings) {
    SslHandler handler = settings.newHandler(context.alloc());
    handler.setHandshakeTimeoutMillis(0); // the deadline for the first word is one for it, too
    context.pipeline().addAfter(context.name(), "tls", handler);
    context.pipeline().addAfter("tls", "inside-tls", new FirstBytes(service, null));
    context.pipeline().remove(this);
  }

  private void refuse(ChannelHandlerContext context, ByteBuf in, boolean http, String why) {
    refused = true;
    context.pipeline().remove(DEADLINE);
    refused(context, why);
    in.skipBytes(in.readableBytes());
    if (http) {
      Farewell.say(context.channel(), HttpPages.inPlaintext(why));
    } else {
      Farewell.say(context.channel(), ErrorCode.PROTOCOL_ERROR, why);
    }
  }

  private void refused(ChannelHandlerContext context, String why) {
    LOG.atWarn()
        .addKeyValue("code", ErrorCode.PROTOCOL_ERROR.id())
        .log(
            "{} closes the connection of {}: {}",
            ErrorCode.PROTOCOL_ERROR,
            context.channel().remoteAddress(),
            Farewell.printable(why));
    service.metrics().closed(ErrorCode.PROTOCOL_ERROR);
  }

  /** Of TLS the client has been told by an alert. */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Throwable root = rootOf(cause);
    if (root instanceof SSLException) {
      if (!refused) {
        refused = true;
        refused(context, "TLS: " + root.getMessage());
      }
    } else if (root instanceof IOException) {
      LOG.debug("the connection of {} broke", context.channel().remoteAddress(), root);
    } else {
      LOG.error("the connection of {} failed", context.channel().remoteAddress(), cause);
      service.metrics().closed(ErrorCode.INTERNAL_ERROR);
    }
    context.close();
  }

  /** What a decoder met. */
  static Throwable rootOf(Throwable e) {
    return e instanceof DecoderException && e.getCause() != null ? e.getCause() : e;
  }
}
