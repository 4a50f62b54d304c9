package io.canopygrid.client;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.client.server.ServerAddress;
import io.canopygrid.wire.client.WireLimits;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of servers: {@code canopy://vm1:11444,vm2}, with TLS {@code canopys://}; a user and
 * its password can stand in front: {@code canopy://ada:secret@vm1}, with %25 for a percent sign.
 * All up to the last @ is user and password, so that other characters may stand as they are. An
 * IPv6 address stands in brackets.
 *
 * @param servers at least one
 * @param user null where there is none
 */
record ServerUri(
    List<ServerAddress> servers, boolean tls, @Nullable String user, @Nullable String password) {
  private static final Pattern WHOLE =
      Pattern.compile("canopy(s?)://(?:([^:]+?)(?::(.*))?@)?([^@/?#]+)/?", Pattern.DOTALL);

  /**
   * Reads it.
   *
   * @throws CanopyException {@link ErrorCode#CONFIG_INVALID}; passwords are not printed
   */
  static ServerUri parse(@Nullable String text) {
    if (text == null) {
      throw new CanopyException(ErrorCode.NULL_NOT_ALLOWED, "the URI is null");
    }
    Matcher parts = WHOLE.matcher(text);
    if (!parts.matches()) {
      throw new CanopyException(
          ErrorCode.CONFIG_INVALID,
          "a URI is canopy://host:port,host:port or canopys:// for TLS, with user:password@ in"
              + " front of the hosts where that is needed: '"
              + masked(text)
              + "'");
    }
    List<ServerAddress> servers = new ArrayList<>();
    for (String server : parts.group(4).split(",", -1)) {
      servers.add(ServerAddress.parse(server, WireLimits.DEFAULT_PORT));
    }
    return new ServerUri(
        List.copyOf(servers),
        !parts.group(1).isEmpty(),
        decoded(parts.group(2)),
        decoded(parts.group(3)));
  }

  /** The text without what can be a password: all before the last @. */
  private static String masked(String text) {
    int at = text.lastIndexOf('@');
    return at < 0 ? text : "…" + text.substring(at);
  }

  private static @Nullable String decoded(@Nullable String text) {
    try {
      return text == null
          ? null
          : URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new CanopyException(
          ErrorCode.CONFIG_INVALID,
          "a % in user or password is not followed by two digits: write %25 for a percent sign");
    }
  }
}
