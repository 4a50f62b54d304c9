package io.canopygrid.server.shell;

import io.canopygrid.CanopyException;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.terminal.OutputOption;
import io.canopygrid.server.terminal.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.UserInterruptException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code canopy shell}: reads and writes a cluster by hand, or in scripts. */
@Command(
    name = "shell",
    description = {
      "Read and write a cluster by hand.",
      "Its commands: get, put, remove, scan, count, begin, commit, rollback, create, indexes,",
      "snapshot, snapshots, drop, clone, clones, flatten, status, help, exit."
    },
    footer = {
      "",
      "Examples:",
      "  canopy shell -c canopy://vm1,vm2",
      "  canopy shell -e 'create names int64 string; put names 1 Ada; get names 1'",
      "",
      "The exit code is 0 if every command succeeded; with -e, and where input is no terminal,",
      "the first one that fails ends it. So does a transaction without a commit.",
      "Options of a command stand before --; what follows is keys and values, even with --."
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
        return ended(runAll(line, execute), commands);
      }
      return isConversation() ? converse(line, commands) : script(line, commands);
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
    line.getCommandSpec().usageMessage().customSynopsis("COMMAND [ARGUMENTS]; COMMAND ...");
    line.setExpandAtFiles(false); // a value that begins with @ is itself
    line.setOut(out);
    line.setErr(spec.commandLine().getErr());
    line.setParameterExceptionHandler((e, args) -> misunderstood(e));
    line.setExecutionExceptionHandler((e, command, parsed) -> failed(e));
    return line;
  }

  private int misunderstood(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unknown
        && !unknown.isUnknownOption()
        && !unknown.getUnmatched().isEmpty()) {
      PrintWriter err = spec.commandLine().getErr();
      boolean isCommand = !e.getCommandLine().getSubcommands().isEmpty();
      String word = unknown.getUnmatched().get(0);
      err.println(
          isCommand
              ? "there is no command '" + Printable.line(word) + "': help lists them"
              : "too much is given: '" + Printable.line(word) + "'; quote what has spaces");
      UnmatchedArgumentException.printSuggestions(e, err);
      err.flush();
      return 1;
    }
    return failed(e);
  }

  private int failed(Exception e) {
    PrintWriter err = spec.commandLine().getErr();
    if (e instanceof CanopyException || e instanceof ParameterException) {
      err.println(Printable.lines(String.valueOf(e.getMessage())));
    } else {
      e.printStackTrace(err);
    }
    err.flush();
    return 1;
  }

  /** The end of a statement that was run. */
  private enum End {
    DONE,
    FAILED,
    EXIT
  }

  /** Runs commands up to the first that fails, or an exit. */
  private End runAll(CommandLine line, String text) {
    List<List<String>> commands;
    try {
      commands = CommandWords.commands(text);
    } catch (CanopyException e) {
      failed(e);
      return End.FAILED;
    }
    for (List<String> words : commands) {
      if (words.size() == 1 && (words.get(0).equals("exit") || words.get(0).equals("quit"))) {
        return End.EXIT;
      }
      if (line.execute(ShellWords.arguments(line, words)) != 0) {
        return End.FAILED;
      }
    }
    return End.DONE;
  }

  /**
   * The exit code of commands that nobody types. The writes of a transaction are lost without a
   * commit, which is an error unless the commands say exit.
   */
  private int ended(End end, ShellCommands commands) {
    if (end == End.FAILED) {
      return 1;
    }
    if (!commands.canCommit()) {
      return 0;
    }
    PrintWriter err = spec.commandLine().getErr();
    err.println("the transaction is rolled back: there is no commit after begin");
    err.flush();
    return end == End.EXIT ? 0 : 1;
  }

  private int script(CommandLine line, ShellCommands commands) {
    ScriptReader in = new ScriptReader(System.in);
    try {
      End end = End.DONE;
      for (String text = in.next(); text != null && end == End.DONE; text = in.next()) {
        end = runAll(line, text);
        if (end == End.FAILED) {
          spec.commandLine().getErr().println("in line " + in.line() + " of the script");
        }
      }
      return ended(end, commands);
    } catch (CanopyException e) {
      return failed(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs what a person types; a command that fails does not end the shell. */
  private int converse(CommandLine line, ShellCommands commands) {
    PrintWriter out = spec.commandLine().getOut();
    LineReader reader = ShellReader.open(line, commands);
    out.println("Connected to " + connect.describe() + ". help lists the commands, exit ends.");
    out.flush();
    while (true) {
      try {
        if (runAll(line, reader.readLine(commands.isOpen() ? "canopy*> " : "canopy> "))
            == End.EXIT) {
          return 0;
        }
      } catch (UserInterruptException e) {
        reader.printAbove("exit ends the shell");
      } catch (EndOfFileException e) {
        return 0;
      }
    }
  }
}
