package io.canopygrid.server.cli;

import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code canopy help}: explains an error code, or shows the help of a command. */
@Command(
    name = "help",
    description = "Explain an error code, or show how a command is used.",
    footer = {"", "Examples: canopy help CNPY-2001, canopy help server"})
final class ExplainCommand implements Runnable {
  @Parameters(
      paramLabel = "CNPY-xxxx|COMMAND",
      arity = "0..*",
      description = "An error code as in CNPY-2001, 2001 or WRITE_CONFLICT; or a command.")
  private List<String> topic = List.of();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    CommandLine root = spec.root().commandLine();
    PrintWriter out = spec.commandLine().getOut();
    Optional<ErrorCode> code =
        topic.size() == 1 ? ErrorCode.find(topic.get(0)) : Optional.<ErrorCode>empty();
    if (code.isPresent()) {
      explain(code.get(), out);
    } else {
      command(root).usage(out);
    }
    out.flush();
  }

  private CommandLine command(CommandLine root) {
    CommandLine found = root;
    for (String word : topic) {
      CommandLine next = found.getSubcommands().get(word);
      if (next == null) {
        throw new ParameterException(
            spec.commandLine(),
            "there is no error code or command '" + String.join(" ", topic) + "'");
      }
      found = next;
    }
    return found;
  }

  private static void explain(ErrorCode code, PrintWriter out) {
    out.println(code);
    out.println();
    out.println("  What to do   " + code.advice());
    out.println("  Run again    " + again(code));
    out.println("  Its writes   " + writes(code.commitState()));
  }

  private static String again(ErrorCode code) {
    if (!code.retryable()) {
      return "would fail again";
    }
    return code.commitState() == CommitState.NOT_COMMITTED
        ? "can succeed"
        : "can succeed, but may take effect twice";
  }

  private static String writes(CommitState state) {
    return switch (state) {
      case NOT_COMMITTED -> "did not take effect";
      case COMMITTED -> "took effect";
      case UNKNOWN -> "may have taken effect";
    };
  }
}
