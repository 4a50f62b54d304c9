package io.canopygrid.server.endpoint.netty;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.codec.Utf8;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The sender of a request to the API: the page that it is of, if any, and who it says it is. */
final class ApiSender {
  private static final String SCHEME = "basic ";

  private ApiSender() {}

  /** A user's name and password, as the request has them. */
  record Login(String user, char[] password) {}

  /**
   * Refuses requests that pages of other sites make a browser send. A browser names the site in
   * {@code Origin}. Where nobody must log in, a name of the Internet can be made to lead here, so
   * from this machine only names that cannot are answered.
   *
   * @param isGuarded whether clients must log in
   * @param own where clients reach this server, {@code host:port}
   * @throws CanopyException {@link ErrorCode#FORBIDDEN}
   */
  static void checkSite(HttpHeaders headers, Channel channel, boolean isGuarded, String own) {
    String host = headers.get(HttpHeaderNames.HOST, "");
    String origin = headers.get(HttpHeaderNames.ORIGIN);
    if (origin != null && !origin.replaceFirst("^https?://", "").equalsIgnoreCase(host)) {
      throw new CanopyException(ErrorCode.FORBIDDEN, "pages of other sites may not use this API");
    }
    if (!isGuarded && isLocal(channel) && !host.isEmpty() && !isOwnName(name(host), name(own))) {
      throw new CanopyException(
          ErrorCode.FORBIDDEN,
          "this server has no such name: say localhost, its address, or what clients.address says");
    }
  }

  private static boolean isOwnName(String name, String own) {
    return name.equals("localhost")
        || name.endsWith(".localhost")
        || name.equals(own)
        || NetUtil.isValidIpV4Address(name)
        || NetUtil.isValidIpV6Address(name);
  }

  /** The name or address before the port. */
  private static String name(String hostAndPort) {
    String name = hostAndPort.replaceFirst(":[0-9]*$", "");
    return name.toLowerCase(Locale.ROOT);
  }

  private static boolean isLocal(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress address
        && address.getAddress() != null
        && address.getAddress().isLoopbackAddress();
  }

  /**
   * The name and password in a request.
   *
   * @return null: there are none
   * @throws CanopyException {@link ErrorCode#UNAUTHENTICATED} where they are not as they must be;
   *     {@link ErrorCode#FORBIDDEN} where others could read them
   */
  static @Nullable Login login(HttpHeaders headers, Channel channel) {
    String given = headers.get(HttpHeaderNames.AUTHORIZATION);
    if (given == null) {
      return null;
    }
    if (channel.pipeline().get(SslHandler.class) == null && !isLocal(channel)) {
      throw new CanopyException(
          ErrorCode.FORBIDDEN,
          "others can read a password that comes here: give the server a certificate"
              + " (tls.certificate), and take another password");
    }
    try {
      if (!given.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
        throw new IllegalArgumentException("not Basic");
      }
      byte[] bytes = Base64.getDecoder().decode(given.substring(SCHEME.length()).strip());
      String words = Utf8.decode(bytes);
      int colon = words.indexOf(':');
      if (colon < 0) {
        throw new IllegalArgumentException("no password");
      }
      return new Login(words.substring(0, colon), words.substring(colon + 1).toCharArray());
    } catch (RuntimeException e) {
      throw new CanopyException(
          ErrorCode.UNAUTHENTICATED, "the request must have user and password as Basic", e);
    }
  }
}
