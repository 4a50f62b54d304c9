package io.canopygrid.server.endpoint.netty;

import io.canopygrid.server.endpoint.http.ApiResponse;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;

/** Requests and answers as all pages read and make them. */
final class HttpMessages {
  static final String PLAIN = "text/plain; charset=utf-8";

  private HttpMessages() {}

  /**
   * The path of a request's target, which can be a whole URI (RFC 9112, section 3.2.2), without its
   * query.
   */
  static String path(String target) {
    String path = target(target);
    int query = path.indexOf('?');
    String named = query < 0 ? path : path.substring(0, query);
    return named.isEmpty() ? "/" : named;
  }

  /** The path and query of a request's target. */
  static String target(String target) {
    return target.replaceFirst("^(?i:https?)://[^/?]*", "");
  }

  /**
   * An answer of the API.
   *
   * @param isEnd whether the connection ends after it
   */
  static FullHttpResponse response(ApiResponse answer, boolean isEnd) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(answer.status()),
            Unpooled.wrappedBuffer(answer.body()));
    if (!answer.type().isEmpty()) {
      response
          .headers()
          .set(HttpHeaderNames.CONTENT_TYPE, answer.type())
          .setInt(HttpHeaderNames.CONTENT_LENGTH, answer.body().length);
    }
    response
        .headers()
        .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
        .set("x-content-type-options", "nosniff")
        .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'")
        .set(HttpHeaderNames.CONNECTION, isEnd ? "close" : "keep-alive");
    answer.headers().forEach((name, value) -> response.headers().set(name, value));
    return response;
  }

  /** An answer after which the connection ends. */
  static FullHttpResponse response(HttpResponseStatus status, String type, String text) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    FullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, type);
    response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.length);
    response.headers().set(HttpHeaderNames.CONNECTION, "close");
    return response;
  }
}
