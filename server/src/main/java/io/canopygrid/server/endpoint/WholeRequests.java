package io.canopygrid.server.endpoint;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.TooLongHttpContentException;

/** Puts requests together; one with too long a body is an error like others. */
final class WholeRequests extends HttpObjectAggregator {
  WholeRequests(int bodyBytesMax) {
    super(bodyBytesMax);
  }

  @Override
  protected void handleOversizedMessage(ChannelHandlerContext context, HttpMessage oversized) {
    context.fireExceptionCaught(
        new TooLongHttpContentException("the body has more than " + maxContentLength() + " bytes"));
  }
}
