package io.canopygrid.docs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The methods of a source and how long they are, found by their braces: a block that stands in a
 * type, and is no type itself, is a method. Comments, texts and characters are skipped.
 */
final class Methods {
  private static final Pattern TYPE =
      Pattern.compile(
          "(?s).*\\b(class|interface|enum|record)\\s+\\w+[^=]*|[A-Z0-9_]+(\\(.*\\))?\\s*");
  private static final Pattern SKIPPED =
      Pattern.compile(
          "(?s)/\\*.*?\\*/|//[^\\n]*|\"\"\".*?\"\"\"|\"(\\\\.|[^\"\\\\\\n])*\"|'(\\\\.|[^'\\\\])+'");

  /**
   * A method.
   *
   * @param header all that stands before its body
   * @param lines from the first line of the header to the last brace
   */
  record Method(String header, int lines) {}

  /**
   * A block that is not closed yet.
   *
   * @param header all that stands before it
   * @param type whether it is a type's
   * @param line of the header's beginning
   */
  private record Block(String header, boolean type, int line) {}

  private final Deque<Block> open = new ArrayDeque<>();
  private final List<Method> found = new ArrayList<>();

  private Methods() {}

  /** The methods of a source, those of nested types too. */
  static List<Method> of(String java) {
    Methods methods = new Methods();
    methods.read(
        SKIPPED.matcher(java).replaceAll(skipped -> "\n".repeat(newLines(skipped.group()))));
    return methods.found;
  }

  private static int newLines(String text) {
    return (int) text.chars().filter(c -> c == '\n').count();
  }

  private void read(String code) {
    int line = 1;
    int start = 0;
    int startLine = 1;
    for (int at = 0; at < code.length(); at++) {
      char c = code.charAt(at);
      if (c == '\n') {
        line++;
      }
      if (c == '{') {
        String header = code.substring(start, at).strip();
        open.push(new Block(header, TYPE.matcher(header).matches(), startLine));
      } else if (c == '}') {
        close(line);
      }
      if (c == '{' || c == '}' || c == ';') {
        start = at + 1;
        startLine = line;
      } else if (code.substring(start, at).isBlank()) {
        startLine = line;
      }
    }
  }

  private void close(int line) {
    Block block = open.pop();
    Block around = open.peek();
    if (around != null && around.type() && !block.type()) {
      found.add(new Method(block.header(), line - block.line() + 1));
    }
  }
}
