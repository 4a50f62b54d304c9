package io.canopygrid.server.cli;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.backup.BackupCommand;
import io.canopygrid.server.config.SettingOptions;
import io.canopygrid.server.diag.DiagCommand;
import io.canopygrid.server.export.ExportCommand;
import io.canopygrid.server.load.LoadCommand;
import io.canopygrid.server.project.NewCommand;
import io.canopygrid.server.shell.CertCommand;
import io.canopygrid.server.shell.CloneCommand;
import io.canopygrid.server.shell.IndexCommand;
import io.canopygrid.server.shell.LeaveCommand;
import io.canopygrid.server.shell.PlanCommand;
import io.canopygrid.server.shell.RecoverCommand;
import io.canopygrid.server.shell.ShellCommand;
import io.canopygrid.server.shell.SnapshotCommand;
import io.canopygrid.server.shell.StatusCommand;
import io.canopygrid.server.shell.TableCommand;
import io.canopygrid.server.shell.TxCommand;
import io.canopygrid.server.shell.UpgradeCommand;
import io.canopygrid.server.shell.UserCommand;
import io.canopygrid.server.terminal.Printable;
import io.canopygrid.server.top.TopCommand;
import io.canopygrid.server.watch.WatchCommand;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code canopy} itself, and what all its subcommands have in common. */
@Command(
    name = "canopy",
    description = "A transactional, distributed B+tree index for the Infinispan data grid.",
    synopsisSubcommandLabel = "COMMAND",
    versionProvider = Version.class,
    subcommands = {
      ServerCommand.class,
      ConfigCommand.class,
      ShellCommand.class,
      StatusCommand.class,
      TopCommand.class,
      LeaveCommand.class,
      IndexCommand.class,
      TableCommand.class,
      SnapshotCommand.class,
      CloneCommand.class,
      TxCommand.class,
      UpgradeCommand.class,
      LoadCommand.class,
      ExportCommand.class,
      WatchCommand.class,
      BackupCommand.class,
      PlanCommand.class,
      RecoverCommand.class,
      DiagCommand.class,
      UserCommand.class,
      CertCommand.class,
      NewCommand.class,
      ExplainCommand.class,
      CompletionCommand.class
    },
    footer = {
      "",
      "Exit code: 0 on success, 1 on failure, 2 for a wrong command or configuration.",
      "Environment: JAVA_HOME, a JDK 17 or newer; CANOPY_JAVA_OPTIONS, options of the",
      "JVM (-Xms1g -Xmx1g -XX:+UseG1GC); CANOPY_URL or CANOPY_PROFILE, where to connect."
    })
final class CanopyCommand implements Runnable {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help and exit.")
  @SuppressWarnings("UnusedVariable") // picocli acts on it
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version and exit.")
  @SuppressWarnings("UnusedVariable") // picocli acts on it
  private boolean version;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** The whole command line, with the commands of all modules on the class path. */
  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new CanopyCommand());
    for (Subcommand module : ServiceLoader.load(Subcommand.class)) {
      line.addSubcommand(module.command());
    }
    if (!line.getSubcommands().containsKey("verify")) {
      line.addSubcommand(new VerifyDiskCommand.Group());
    }
    subcommand(line, "verify").addSubcommand(new VerifyDiskCommand());
    addSettings(line);
    line.setParameterExceptionHandler((e, args) -> misunderstood(e));
    line.setExecutionExceptionHandler((e, command, parsed) -> failed(e, command));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setExpandAtFiles(false); // a value that begins with @ is itself
    return line;
  }

  /** Every setting is an option of the commands that take a configuration. */
  private static void addSettings(CommandLine line) {
    SettingOptions.addTo(subcommand(line, "server").getCommandSpec());
    CommandLine config = subcommand(line, "config");
    config.addSubcommand(new ConfigCommand.Show());
    SettingOptions.addTo(subcommand(config, "show").getCommandSpec());
  }

  private static CommandLine subcommand(CommandLine line, String name) {
    return Objects.requireNonNull(line.getSubcommands().get(name), name);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command?");
  }

  private static int misunderstood(ParameterException e) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    String name = command.getCommandSpec().qualifiedName();
    err.println(name + ": " + Printable.lines(message(e, command)));
    UnmatchedArgumentException.printSuggestions(e, err);
    err.println("Try '" + name + " --help'.");
    err.flush();
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  private static String message(ParameterException e, CommandLine command) {
    boolean group = !command.getSubcommands().isEmpty();
    if (group
        && e instanceof UnmatchedArgumentException unmatched
        && !unmatched.isUnknownOption()) {
      return "there is no command '" + unmatched.getUnmatched().get(0) + "'";
    }
    return String.valueOf(e.getMessage());
  }

  /**
   * Prints an error. An error with a code needs no trace; any other is a bug, and its trace is
   * printed.
   */
  private static int failed(Exception e, CommandLine command) {
    PrintWriter err = command.getErr();
    String name = command.getCommandSpec().qualifiedName();
    boolean misunderstood = false;
    if (e instanceof CanopyException coded) {
      err.println(name + ": " + Printable.lines(String.valueOf(coded.getMessage())));
      misunderstood = coded.code() == ErrorCode.CONFIG_INVALID;
    } else {
      err.println(name + ": failed");
      e.printStackTrace(err);
    }
    err.flush();
    return misunderstood ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
  }
}
