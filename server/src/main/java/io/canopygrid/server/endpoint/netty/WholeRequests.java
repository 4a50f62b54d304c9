package io.canopygrid.server.endpoint.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.TooLongHttpContentException;

/** Puts the parts of a request together; a body that is too long is an error like others. */
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
