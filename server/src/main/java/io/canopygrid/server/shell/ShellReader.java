package io.canopygrid.server.shell;

import io.canopygrid.CanopyException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jline.reader.Candidate;
import org.jline.reader.EOFError;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;
import org.jline.reader.impl.DefaultParser;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * Reads what a person types: completes commands and names, lets a quote go over several lines, and
 * keeps a history between sessions that only its owner can read.
 */
final class ShellReader {
  private static final Set<String> WITH_INDEX =
      Set.of("get", "put", "remove", "scan", "count", "clone", "flatten", "drop-index");

  private ShellReader() {}

  /** A reader on this process's terminal. */
  static LineReader open(CommandLine line, ShellCommands commands) {
    LineReaderBuilder reader =
        LineReaderBuilder.builder()
            .appName("canopy")
            .parser(new Statements())
            .completer((r, typed, found) -> complete(line, commands, typed, found))
            .variable(LineReader.SECONDARY_PROMPT_PATTERN, "     -> ")
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true);
    Path history = history();
    if (history != null) {
      reader.variable(LineReader.HISTORY_FILE, history);
    }
    return reader.build();
  }

  /** The file of the history, with mode 600; null where it cannot be kept. */
  private static @Nullable Path history() {
    Path file = Path.of(System.getProperty("user.home", "."), ".canopy_history");
    try {
      if (!Files.exists(file)) {
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      } else {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      }
      return file;
    } catch (IOException | UnsupportedOperationException e) {
      return null;
    }
  }

  private static void complete(
      CommandLine line, ShellCommands commands, ParsedLine typed, List<Candidate> found) {
    if (typed.wordIndex() == 0) {
      add(found, line.getSubcommands().keySet());
      add(found, List.of("exit", "quit"));
      return;
    }
    if (typed.wordIndex() > 1) {
      return;
    }
    try {
      String command = typed.words().get(0);
      if (WITH_INDEX.contains(command)) {
        add(found, commands.indexNames());
      } else if (command.equals("drop")) {
        add(found, commands.snapshotNames());
      } else if (command.equals("help")) {
        add(found, line.getSubcommands().keySet());
      }
    } catch (CanopyException e) {
      found.clear(); // names cannot be asked for now; the command that is typed will say why
    }
  }

  private static void add(List<Candidate> found, Collection<String> names) {
    names.forEach(name -> found.add(new Candidate(name)));
  }

  /** Words as JLine cuts them; a statement is whole when its quotes are closed. */
  private static final class Statements implements Parser {
    private final DefaultParser words = new DefaultParser();

    Statements() {
      words.setEscapeChars(new char[0]);
      words.setEofOnUnclosedQuote(false);
    }

    @Override
    public ParsedLine parse(String text, int cursor, ParseContext context) {
      if (context == ParseContext.ACCEPT_LINE && CommandWords.isWithinQuotes(text)) {
        throw new EOFError(-1, -1, "a quote has no end yet", "quote");
      }
      return words.parse(text, cursor, context);
    }
  }
}
