package io.canopygrid.server.codec;

import io.canopygrid.Tuple;
import java.util.ArrayList;
import java.util.List;

/**
 * The text of a tuple: those of its components with commas between them. A % within a component is
 * written {@code %25}, and a comma within any but the last {@code %2C}, so that no two tuples have
 * the same text. The last component is all that follows the comma before it.
 */
final class TupleText {
  private TupleText() {}

  /** The tuple of texts that a text says; at most so many. */
  static Tuple parse(String text, int components) {
    String[] parts = text.split(",", components);
    Object[] values = new Object[parts.length];
    for (int i = 0; i < parts.length; i++) {
      values[i] = unescaped(parts[i]);
    }
    return Tuple.of(values);
  }

  /** The text of a tuple of texts. */
  static String print(Tuple tuple) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < tuple.size(); i++) {
      String word = tuple.get(i, String.class).replace("%", "%25");
      words.add(i == tuple.size() - 1 ? word : word.replace(",", "%2C"));
    }
    return String.join(",", words);
  }

  private static String unescaped(String part) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      if (c != '%') {
        text.append(c);
      } else if (part.startsWith("25", i + 1)) {
        text.append('%');
        i += 2;
      } else if (part.regionMatches(true, i + 1, "2C", 0, 2)) {
        text.append(',');
        i += 2;
      } else {
        throw new IllegalArgumentException("in a tuple % is written %25, and a comma %2C");
      }
    }
    return text.toString();
  }

  /** The ids of the components in the id of a codec of tuples. */
  static List<String> components(String id) {
    String text = id.substring("tuple(".length(), id.length() - 1);
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == ',' && depth == 0) {
        parts.add(text.substring(from, i));
        from = i + 1;
      }
    }
    parts.add(text.substring(from));
    return parts;
  }
}
