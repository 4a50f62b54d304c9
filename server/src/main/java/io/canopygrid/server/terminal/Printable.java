package io.canopygrid.server.terminal;

import java.util.Locale;
import java.util.function.IntPredicate;

/**
 * Texts from data and from others as a terminal may get them: characters that would steer the
 * terminal, or turn the order of what is read, are written as in Java and JSON.
 */
public final class Printable {
  private Printable() {}

  /** The text in one line. */
  public static String line(String text) {
    return escaped(text, Printable::steers);
  }

  /** The text with its ends of lines and tabs. */
  public static String lines(String text) {
    return escaped(text, c -> steers(c) && c != '\n' && c != '\t');
  }

  /** A JSON text, in which an escape is the same as its character. */
  public static String json(String text) {
    return escaped(text, Printable::steers);
  }

  private static boolean steers(int c) {
    return Character.isISOControl(c)
        || (c >= 0x202A && c <= 0x202E)
        || (c >= 0x2066 && c <= 0x2069)
        || c == 0x2028
        || c == 0x2029;
  }

  private static String escaped(String text, IntPredicate steers) {
    if (text.chars().noneMatch(steers)) {
      return text;
    }
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!steers.test(c)) {
        escaped.append(c);
      } else if (c == '\n') {
        escaped.append("\\n");
      } else if (c == '\t') {
        escaped.append("\\t");
      } else {
        escaped.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      }
    }
    return escaped.toString();
  }
}
