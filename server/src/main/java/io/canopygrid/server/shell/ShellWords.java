package io.canopygrid.server.shell;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Sorts the words of a command into options and keys and values. A word with one minus, as -5, is
 * never an option here; of words with two the known ones are, and in commands without options none.
 */
final class ShellWords {
  private static final String END_OF_OPTIONS = "--";

  private ShellWords() {}

  /** The words as arguments for picocli, with all options before the others. */
  static String[] arguments(CommandLine line, List<String> words) {
    CommandLine command = line.getSubcommands().get(words.get(0));
    if (command == null) {
      return words.toArray(new String[0]);
    }
    List<String> options = new ArrayList<>();
    List<String> others = new ArrayList<>();
    boolean ended = false;
    for (int i = 1; i < words.size(); i++) {
      String word = words.get(i);
      if (ended || !word.startsWith(END_OF_OPTIONS)) {
        others.add(word);
      } else if (word.equals(END_OF_OPTIONS)) {
        ended = true;
      } else {
        OptionSpec option = command.getCommandSpec().findOption(word.split("=", 2)[0]);
        if (option == null && command.getCommandSpec().options().isEmpty()) {
          others.add(word);
          continue;
        }
        options.add(word);
        boolean takesNext = option != null && option.arity().min() > 0 && !word.contains("=");
        if (takesNext && i + 1 < words.size()) {
          options.add(words.get(++i));
        }
      }
    }
    List<String> all = new ArrayList<>();
    all.add(words.get(0));
    all.addAll(options);
    if (!others.isEmpty()) {
      all.add(END_OF_OPTIONS);
      all.addAll(others);
    }
    return all.toArray(new String[0]);
  }
}
