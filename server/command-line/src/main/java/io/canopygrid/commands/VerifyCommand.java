package io.canopygrid.commands;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.history.History;
import io.canopygrid.history.HistoryChecker;
import io.canopygrid.history.HistoryReader;
import io.canopygrid.history.MalformedHistoryException;
import io.canopygrid.history.Model;
import io.canopygrid.history.Verdict;
import io.canopygrid.server.terminal.OutputOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code canopy verify}: checks a recorded history. */
@Command(
    name = "verify",
    description = {
      "Check a recorded history (canopy-history/1) against an isolation level.",
      "Says which anomalies there are and, for the first of each kind, which transactions are in"
          + " which cycle."
    },
    exitCodeOnInvalidInput = VerifyCommand.BAD_INPUT,
    footer = {
      "",
      "Exit code: 0 the history is valid, 1 it is not, 2 nobody can tell (nothing was",
      "committed, or the order of too many writes is open), 3 bad input.",
      "Example: canopy verify run.jsonl --model serializable"
    })
final class VerifyCommand implements Callable<Integer> {
  static final int VALID = 0;
  static final int INVALID = 1;
  static final int UNKNOWN = 2;
  static final int BAD_INPUT = 3;

  /** Needed unless there is a subcommand, for which picocli would ask for it, too. */
  @Parameters(paramLabel = "FILE", arity = "0..1", description = "The history, JSON lines.")
  private @Nullable Path file;

  @Option(
      names = "--model",
      paramLabel = "MODEL",
      converter = ModelConverter.class,
      completionCandidates = ModelConverter.class,
      description = "One of ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  private Model model = Model.EXTENDED_UPDATE_SERIALIZABLE;

  @Option(
      names = "--sessions",
      description =
          "Each client's transactions must also be in its own order: no client goes back in time"
              + " or misses what it wrote.")
  private boolean sessions;

  @Mixin private OutputOption output = new OutputOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    Path recorded = file;
    if (recorded == null) {
      throw new ParameterException(spec.commandLine(), "Missing required parameter: 'FILE'");
    }
    History history;
    try {
      history = read(recorded);
    } catch (CanopyException e) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(spec.qualifiedName() + ": " + e.getMessage());
      err.flush();
      return BAD_INPUT;
    }
    Verdict verdict = HistoryChecker.check(history, model, sessions);
    VerdictReport report = new VerdictReport(history, model, sessions, verdict);
    PrintWriter out = spec.commandLine().getOut();
    out.println(output.isJson() ? report.json() : report.text());
    out.flush();
    return switch (verdict.result()) {
      case VALID -> VALID;
      case INVALID -> INVALID;
      case UNKNOWN -> UNKNOWN;
    };
  }

  private static History read(Path file) throws IOException {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "there is no file that can be read: " + file);
    }
    try {
      return HistoryReader.read(file);
    } catch (MalformedHistoryException e) {
      throw new CanopyException(ErrorCode.INVALID_ARGUMENT, file + ": " + e.getMessage(), e);
    }
  }
}
