package io.canopygrid.server.endpoint.netty;

import io.canopygrid.ErrorCode;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
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

/** Tells by the first byte which protocol a connection speaks: TLS, HTTP or the binary one. */
@SuppressWarnings("FutureReturnValueIgnored") // a failure closes the channel, which is handled
final class ProtocolDetector extends ByteToMessageDecoder {
  private static final Logger LOG = LoggerFactory.getLogger(ProtocolDetector.class);

  /** The name of the connection's {@link ProtocolDeadline}. */
  static final String DEADLINE = "protocol-deadline";

  static final int TLS_HANDSHAKE = 0x16;
  private static final int HTTP_LINE_MAX = 4_096;
  static final int HTTP_BODY_MAX = 8_192;
  private static final int FLUSH_AFTER = 64;

  private final Service service;
  private final @Nullable Supplier<SslContext> tls;
  private boolean refused;

  /**
   * A detector for one connection.
   *
   * @param tls the TLS settings; null: TLS is not spoken, or is spoken already
   */
  ProtocolDetector(Service service, @Nullable Supplier<SslContext> tls) {
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
        refuse(
            context,
            in,
            isHttp(first),
            isHttp(first)
                ? "this port speaks TLS only: use https://"
                : "this port speaks TLS only: connect with canopys://");
      }
    } else if (first == 0) {
      pipeline.remove(DEADLINE);
      RequestFrameDecoder decoder = new RequestFrameDecoder();
      pipeline.addLast(
          new FlushConsolidationHandler(FLUSH_AFTER, true),
          decoder,
          new ClientConnection(service, context.channel(), decoder));
      pipeline.remove(this);
    } else if (isHttp(first)) {
      pipeline.remove(DEADLINE);
      pipeline.addLast(
          new HttpServerCodec(HTTP_LINE_MAX, HTTP_BODY_MAX, HTTP_BODY_MAX),
          new ApiConnection(service),
          new WholeRequests(HTTP_BODY_MAX),
          new HttpPages(service));
      pipeline.remove(this);
    } else if (first == TLS_HANDSHAKE) {
      refuse(
          context,
          in,
          false,
          "this port does not speak TLS: connect with canopy://, or turn TLS on at the server");
    } else {
      refuse(context, in, false, "neither Canopy nor HTTP");
    }
  }

  static boolean isHttp(int first) {
    return first >= 'A' && first <= 'Z';
  }

  private void beginTls(ChannelHandlerContext context, SslContext settings) {
    SslHandler handler = settings.newHandler(context.alloc());
    handler.setHandshakeTimeoutMillis(0); // the protocol's deadline bounds it, too
    context.pipeline().addAfter(context.name(), "tls", handler);
    context.pipeline().addAfter("tls", "inside-tls", new ProtocolDetector(service, null));
    context.pipeline().remove(this);
  }

  private void refuse(ChannelHandlerContext context, ByteBuf in, boolean http, String why) {
    refused = true;
    context.pipeline().remove(DEADLINE);
    refused(context, why);
    in.skipBytes(in.readableBytes());
    if (http) {
      LingeringClose.begin(context.channel(), HttpPages.inPlaintext(why));
    } else {
      LingeringClose.begin(context.channel(), ErrorCode.PROTOCOL_ERROR, why);
    }
  }

  private void refused(ChannelHandlerContext context, String why) {
    LOG.atWarn()
        .addKeyValue("code", ErrorCode.PROTOCOL_ERROR.id())
        .log(
            "{} closes the connection of {}: {}",
            ErrorCode.PROTOCOL_ERROR,
            context.channel().remoteAddress(),
            ConnectionErrors.printable(why));
    service.metrics().closed(ErrorCode.PROTOCOL_ERROR);
  }

  /** Closes the connection; an alert has told the client of an error of TLS. */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Throwable root = ConnectionErrors.rootOf(cause);
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
}
