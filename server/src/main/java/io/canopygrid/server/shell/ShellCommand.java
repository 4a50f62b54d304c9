package io.canopygrid.server.shell;

import io.canopygrid.CanopyException;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.terminal.OutputOption;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.completer.StringsCompleter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code canopy shell}: reads and writes a cluster by hand, or in scripts. */
@Command(
    name = "shell",
    description = {
      "Read and write a cluster by hand.",
      "Its commands: get, put, remove, scan, count, begin, commit, rollback, create, indexes,",
      "snapshot, snapshots, drop, status, help, exit."
    },
    footer = {
      "",
      "Examples:",
      "  canopy shell -c canopy://vm1,vm2",
      "  canopy shell -e 'create names int64 string; put names 1 Ada; get names 1'",
      "",
      "The exit code is 0 if every command succeeded; with -e, and where input is no terminal,",
      "the first one that fails ends it."
    })
public final class ShellCommand implements Callable<Integer> {
  /** For picocli. */
  public ShellCommand() {}

  @Mixin private Connect connect = new Connect();

  @Mixin private OutputOption output = new OutputOption();

  @Option(
      names = {"-e", "--execute"},
      paramLabel = "COMMANDS",
      description = "Run these, with ; between them, and end.")
  private @Nullable String execute;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (RemoteCanopy db = connect.open();
        ShellCommands commands = new ShellCommands(db, out, output.format())) {
      CommandLine line = line(commands, out);
      if (execute != null) {
        return runAll(line, execute);
      }
      return isConversation() ? converse(line, commands) : script(line);
    }
  }

  /**
   * Whether a person types. A JDK from 22 on always has a console, so the script's property decides
   * as well.
   */
  @SuppressWarnings("SystemConsoleNull")
  private static boolean isConversation() {
    return System.console() != null && Boolean.getBoolean("canopy.terminal");
  }

  private CommandLine line(ShellCommands commands, PrintWriter out) {
    CommandLine line = new CommandLine(commands);
    line.addSubcommand("help", new CommandLine.HelpCommand());
    line.setOut(out);
    line.setErr(spec.commandLine().getErr());
    line.setParameterExceptionHandler((e, args) -> failed(e));
    line.setExecutionExceptionHandler((e, command, parsed) -> failed(e));
    return line;
  }

  private int failed(Exception e) {
    PrintWriter err = spec.commandLine().getErr();
    if (e instanceof CanopyException || e instanceof ParameterException) {
      err.println(e.getMessage());
    } else {
      e.printStackTrace(err);
    }
    err.flush();
    return 1;
  }

  /** Runs commands up to the first that fails. */
  private int runAll(CommandLine line, String text) {
    List<List<String>> commands;
    try {
      commands = CommandWords.commands(text);
    } catch (CanopyException e) {
      return failed(e);
    }
    for (List<String> words : commands) {
      int code = line.execute(words.toArray(new String[0]));
      if (code != 0) {
        return 1;
      }
    }
    return 0;
  }

  private int script(CommandLine line) {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try {
      for (String text = in.readLine(); text != null; text = in.readLine()) {
        int code = isExit(text) ? -1 : runAll(line, text);
        if (code != 0) {
          return Math.max(0, code);
        }
      }
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs what a person types; a command that fails does not end the shell. */
  private int converse(CommandLine line, ShellCommands commands) {
    LineReader reader =
        LineReaderBuilder.builder()
            .appName("canopy")
            .completer(new StringsCompleter(line.getSubcommands().keySet()))
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .build();
    while (true) {
      try {
        String text = reader.readLine(commands.isOpen() ? "canopy*> " : "canopy> ");
        if (isExit(text)) {
          return 0;
        }
        runAll(line, text);
      } catch (UserInterruptException e) {
        reader.printAbove("exit ends the shell");
      } catch (EndOfFileException e) {
        return 0;
      }
    }
  }

  private static boolean isExit(String text) {
    String word = text.trim();
    return word.equals("exit") || word.equals("quit");
  }
}
