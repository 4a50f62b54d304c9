package io.canopygrid.server.endpoint.http;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.codec.Utf8;
import io.canopygrid.wire.MalformedBytesException;
import java.io.ByteArrayOutputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Text in paths and queries, whose bytes are written {@code %2F} where they stand for no others.
 */
final class PercentText {
  private PercentText() {}

  /**
   * The text.
   *
   * @param plusIsSpace whether that is so, as it is in queries
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} where it is not UTF-8 so written
   */
  static String decode(String written, boolean plusIsSpace) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(written.length());
    for (int i = 0; i < written.length(); i++) {
      char c = written.charAt(i);
      if (c == '%') {
        bytes.write(hex(written, i + 1) << 4 | hex(written, i + 2));
        i += 2;
      } else if (c > ' ' && c < 0x7F) {
        bytes.write(c == '+' && plusIsSpace ? ' ' : c);
      } else {
        throw wrong("has a character that must be written with %");
      }
    }
    try {
      return Utf8.decode(bytes.toByteArray());
    } catch (MalformedBytesException e) {
      throw wrong("is not UTF-8");
    }
  }

  private static int hex(String written, int at) {
    int digit = at < written.length() ? Character.digit(written.charAt(at), 16) : -1;
    if (digit < 0 || written.charAt(at) >= 0x7F) {
      throw wrong("has a % without two hexadecimal digits behind it");
    }
    return digit;
  }

  /** The parameters of a query, each of which comes once. */
  static Map<String, String> query(String written) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String one : written.split("&", -1)) {
      if (!one.isEmpty()) {
        int equals = one.indexOf('=');
        String name = decode(equals < 0 ? one : one.substring(0, equals), true);
        String value = equals < 0 ? "" : decode(one.substring(equals + 1), true);
        if (parameters.put(name, value) != null) {
          throw wrong("has '" + name + "' twice");
        }
      }
    }
    return parameters;
  }

  private static CanopyException wrong(String why) {
    return new CanopyException(ErrorCode.INVALID_ARGUMENT, "the address " + why);
  }
}
