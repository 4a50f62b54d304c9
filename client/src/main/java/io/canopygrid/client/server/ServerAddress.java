package io.canopygrid.client.server;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server's address. */
public record ServerAddress(String host, int port) {
  private static final int PORT_MAX = 65_535;

  /** An address in brackets, or a name or address without colons; each with a port or without. */
  private static final Pattern PARTS =
      Pattern.compile(
          "(?:\\[([0-9A-Fa-f:.]+(?:%[A-Za-z0-9._~-]+)?)]|([A-Za-z0-9._-]+))(?::([0-9]{1,5}))?");

  /**
   * Reads {@code host:port}, {@code host} or {@code [address]:port}.
   *
   * @throws CanopyException {@link ErrorCode#CONFIG_INVALID}
   */
  public static ServerAddress parse(String text, int defaultPort) {
    Matcher parts = PARTS.matcher(text);
    if (parts.matches()) {
      // RFC 6874 writes the % before a zone as %25
      String host = parts.group(1) == null ? parts.group(2) : parts.group(1).replace("%25", "%");
      int port = parts.group(3) == null ? defaultPort : Integer.parseInt(parts.group(3));
      if (port >= 1 && port <= PORT_MAX) {
        return new ServerAddress(host, port);
      }
    }
    throw new CanopyException(
        ErrorCode.CONFIG_INVALID,
        "a server is host, host:port or [address]:port with a port from 1 to "
            + PORT_MAX
            + ": '"
            + masked(text)
            + "'");
  }

  /** The text up to a port that is none: it can be a password whose host was forgotten. */
  private static String masked(String text) {
    int colon = text.indexOf(':');
    boolean plain =
        colon < 0 || text.startsWith("[") || text.substring(colon + 1).matches("[0-9]*");
    return plain ? text : text.substring(0, colon + 1) + "…";
  }

  /** {@code host:port}. */
  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
