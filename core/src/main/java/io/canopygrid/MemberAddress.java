package io.canopygrid;

import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The texts that say where a node is: {@code host:port}, {@code host}, {@code [::1]:port}. */
final class MemberAddress {
  private static final Pattern HOST =
      Pattern.compile("[A-Za-z0-9._-]{1,255}|[0-9A-Fa-f:.]{2,45}(?:%[A-Za-z0-9._-]{1,32})?");

  /** An address in brackets, or a text without a colon; each with a port or without. */
  private static final Pattern WITH_PORT =
      Pattern.compile("(?:\\[([^\\[\\]]+)]|([^:\\[\\]]+))(?::([0-9]{1,5}))?");

  private static final int PORT_MAX = 65_535;

  private MemberAddress() {}

  /** Whether a text looks like a host name or an address; nobody checks whether that exists. */
  static boolean isHost(String text) {
    return HOST.matcher(text).matches();
  }

  /**
   * The address, not looked up. A text that has several colons and no brackets is an IPv6 address
   * without a port.
   *
   * @param defaultPort the port if it is left out
   */
  static InetSocketAddress parse(String text, int defaultPort) {
    Matcher parts = WITH_PORT.matcher(text);
    String host = text;
    int port = defaultPort;
    if (parts.matches()) {
      host = parts.group(1) == null ? parts.group(2) : parts.group(1);
      port = parts.group(3) == null ? port : Integer.parseInt(parts.group(3));
    } else if (text.indexOf(':') == text.lastIndexOf(':')) {
      throw invalid(text);
    }
    if (!isHost(host) || port < 1 || port > PORT_MAX) {
      throw invalid(text);
    }
    return InetSocketAddress.createUnresolved(host, port);
  }

  private static CanopyException invalid(String text) {
    return new CanopyException(
        ErrorCode.CONFIG_INVALID,
        "a member is host, host:port or [address]:port with a port from 1 to "
            + PORT_MAX
            + ": member='"
            + text
            + "'");
  }
}
