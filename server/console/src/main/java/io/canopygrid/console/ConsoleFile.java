package io.canopygrid.console;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A file of the console. The array is not to be changed.
 *
 * @param type of its content
 * @param tag of these bytes and no others, as HTTP has it in {@code ETag}
 */
public record ConsoleFile(String type, byte[] bytes, String tag) {
  private static final int TAG_BYTES = 16;

  static ConsoleFile of(String name, byte[] bytes) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      String tag = '"' + HexFormat.of().formatHex(hash, 0, TAG_BYTES) + '"';
      return new ConsoleFile(typeOf(name), bytes, tag);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String typeOf(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "html" -> "text/html; charset=utf-8";
      case "css" -> "text/css; charset=utf-8";
      case "js" -> "text/javascript; charset=utf-8";
      case "svg" -> "image/svg+xml";
      default -> "text/plain; charset=utf-8";
    };
  }

  /** Whether a browser that has these bytes names them, in the words of {@code If-None-Match}. */
  public boolean isNamedIn(String tags) {
    return Arrays.stream(tags.split(",", -1))
        .map(one -> one.strip().replaceFirst("^W/", ""))
        .anyMatch(one -> one.equals(tag) || one.equals("*"));
  }
}
