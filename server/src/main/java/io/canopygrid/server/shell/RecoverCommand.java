package io.canopygrid.server.shell;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.recovery.MissingReport;
import io.canopygrid.recovery.MissingReport.Outcome;
import io.canopygrid.server.shell.WaitingServers.Answer;
import io.canopygrid.server.terminal.OutputOption;
import io.canopygrid.server.terminal.Printable;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code canopy recover}: shows for which disks servers wait, and says that some are lost. */
@Command(
    name = "recover",
    description = {
      "Show for which disks servers wait that have data on disk, and what is lost without each; or"
          + " say that disks are lost, so that the grid goes on with the others.",
      "You promise that the process that used such a disk is gone, that its disk comes back only to"
          + " the grid that goes on, and that no other server with data of the grid is alive and"
          + " does not see those that you name here. Name all that run with -c."
    },
    exitCodeListHeading = "Exit code:%n",
    exitCodeList = {
      "0:it was shown, or the disks count as lost",
      "1:failure: no server answers, or none waits",
      "2:wrong command, or a disk that is not missing; nothing is done",
      "3:shards would be lost, and --lose-shards is not given; nothing is done"
    },
    footer = {"", "Example: canopy recover -c canopy://vm1,vm2 --without vm3"})
public final class RecoverCommand implements Callable<Integer> {
  private static final int LOSES_SHARDS = 3;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** For picocli. */
  public RecoverCommand() {}

  @Mixin private Connect connect = new Connect();

  @Option(
      names = "--without",
      paramLabel = "DISK",
      description =
          "A disk that is lost, by the id that is shown, or by its server's name or address; can be"
              + " given again.")
  private List<String> without = List.of();

  @Option(
      names = "--lose-shards",
      description = "Shards without any copy begin empty; all that was in them is lost.")
  private boolean losesShards;

  @Mixin private Confirmation confirmation = new Confirmation();

  @Mixin private OutputOption output = new OutputOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    if (losesShards && without.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "--lose-shards needs --without");
    }
    WaitingServers servers = new WaitingServers(connect);
    List<Answer> answers = servers.ask(without);
    PrintWriter out = spec.commandLine().getOut();
    if (output.isJson() && without.isEmpty()) {
      out.println(json(answers));
      out.flush();
      return report(answers) == null ? 1 : 0;
    }
    answers.stream()
        .filter(each -> each.report() == null)
        .forEach(each -> warn(each.server() + ": " + each.problem()));
    MissingReport report = report(answers);
    if (report == null) {
      throw new CanopyException(
          ErrorCode.NOT_CONNECTED, "no server answers that waits for disks, and knows which");
    }
    if (!output.isJson()) {
      RecoverText.print(out, report);
    }
    out.flush();
    return without.isEmpty() ? 0 : lose(servers, answers, report, out);
  }

  /** The answer of a server that knows what the others have. */
  private static @Nullable MissingReport report(List<Answer> answers) {
    return answers.stream()
        .map(Answer::report)
        .filter(each -> each != null && each.outcome() != Outcome.NOT_NOW)
        .findFirst()
        .orElse(null);
  }

  private int lose(
      WaitingServers servers, List<Answer> answers, MissingReport before, PrintWriter out) {
    if (!before.unknown().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "no disk that is missing is " + String.join(", ", before.unknown()) + ": see the list");
    }
    checkTogether(answers);
    if (!output.isJson()) {
      RecoverText.printLoss(out, without, before);
      out.flush();
    }
    if (!before.lost().isEmpty() && !losesShards) {
      return refuse(before);
    }
    confirmation.askFor(
        "Give up " + String.join(", ", without) + " with what only they have", "lost");
    Answer told = null;
    for (Answer each : answers) {
      if (each.report() != null) {
        Answer answer = servers.lose(each.server(), without, losesShards);
        MissingReport after = answer.report();
        if (after != null && after.outcome() == Outcome.LOSES_SHARDS) {
          return refuse(after);
        }
        boolean counts = after != null && after.outcome() == Outcome.LOST;
        told = told == null && counts ? answer : told;
        if (!counts && told == null) {
          warn(each.server() + ": " + (after == null ? answer.problem() : after.outcome()));
        }
      }
    }
    if (told == null) {
      throw new CanopyException(
          ErrorCode.NOT_CONNECTED, "no server has taken these disks for lost");
    }
    out.println(output.isJson() ? json(List.of(told)) : counts(before));
    out.flush();
    return 0;
  }

  private String counts(MissingReport report) {
    return Printable.line(
        ErrorCode.DISKS_LOST
            + ": "
            + String.join(", ", without)
            + " count as lost, with shards "
            + RecoverText.shards(report.lost(), report.shards())
            + ". The grid goes on when enough of the others are there");
  }

  private int refuse(MissingReport report) {
    warn(
        ErrorCode.DISKS_LOST
            + ": these shards would have no copy left: "
            + RecoverText.shards(report.lost(), report.shards())
            + ". Nothing is done. Start a server whose disk has them, or give --lose-shards");
    return LOSES_SHARDS;
  }

  /** Refuses where some of the servers do not see each other. */
  private static void checkTogether(List<Answer> answers) {
    Set<Set<String>> views = new HashSet<>();
    for (Answer each : answers) {
      MissingReport report = each.report();
      if (report != null) {
        views.add(new HashSet<>(report.there()));
      }
    }
    if (views.size() > 1) {
      throw new CanopyException(
          ErrorCode.NOT_CONNECTED,
          "these servers do not all see each other, so each part could go on by itself: " + views);
    }
  }

  private void warn(String text) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("canopy recover: " + Printable.line(text));
    err.flush();
  }

  private static String json(List<Answer> answers) {
    try {
      return Printable.line(JSON.writeValueAsString(answers));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
