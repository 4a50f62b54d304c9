package io.canopygrid.server.shell;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a typed line into commands at semicolons, and each command into words at spaces, except
 * within quotes.
 */
final class CommandWords {
  private CommandWords() {}

  /** Whether a quote has no end yet. */
  static boolean isWithinQuotes(String text) {
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (c == '"' || c == '\'') {
        quote = c;
      }
    }
    return quote != 0;
  }

  /**
   * The commands of a line, each a list of words; none is empty.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} for a quote without an end
   */
  static List<List<String>> commands(String line) {
    List<List<String>> commands = new ArrayList<>();
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean inWord = false;
    char quote = 0;
    for (char c : (line + ";").toCharArray()) {
      if (quote != 0 && c != quote) {
        word.append(c);
      } else if (quote != 0) {
        quote = 0;
      } else if (c == '"' || c == '\'') {
        quote = c;
        inWord = true;
      } else if (c != ';' && !Character.isWhitespace(c)) {
        word.append(c);
        inWord = true;
      } else {
        if (inWord) {
          words.add(word.toString());
          word.setLength(0);
          inWord = false;
        }
        if (c == ';' && !words.isEmpty()) {
          commands.add(words);
          words = new ArrayList<>();
        }
      }
    }
    if (quote != 0) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "the quote " + quote + " has no end: " + line);
    }
    return commands;
  }
}
