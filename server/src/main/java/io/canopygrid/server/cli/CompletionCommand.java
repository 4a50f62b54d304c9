package io.canopygrid.server.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code canopy completion}: the script with which a shell completes commands and options. */
@Command(
    name = "completion",
    description = "Print a script that lets bash or zsh complete commands and options.",
    footer = {"", "Example, in ~/.bashrc: source <(canopy completion bash)"})
final class CompletionCommand implements Callable<Integer> {
  /** The shells that read the script; zsh by its bashcompinit. */
  enum Shell {
    BASH,
    ZSH
  }

  @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
  @SuppressWarnings("UnusedVariable") // one script is for both
  private Shell shell = Shell.BASH;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    PrintWriter out = spec.commandLine().getOut();
    out.print(AutoComplete.bash(root.getCommandName(), root));
    out.flush();
    return 0;
  }
}
