package io.canopygrid.server.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.embedded.VerifiedDisk;
import io.canopygrid.server.terminal.OutputOption;
import io.canopygrid.server.terminal.Printable;
import io.canopygrid.server.terminal.TextTable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code canopy verify disk}: reads a data directory that no server uses. */
@Command(
    name = "disk",
    description = {
      "Read all that is in a data directory, while its server is stopped, and change nothing.",
      "Compares it with its checksums, and with the rules of what servers store. The first line",
      "says whether something is wrong. A damaged directory is of no use: move it aside, and start",
      "the server with an empty one; it then gets its data from the others."
    },
    exitCodeListHeading = "Exit code:%n",
    exitCodeList = {
      "0:no problem was found",
      "1:failure",
      "2:wrong command, no data directory, or one that is in use",
      "3:problems were found"
    },
    footer = {"", "Example: canopy verify disk --data-directory /var/lib/canopy/data"})
final class VerifyDiskCommand implements Callable<Integer> {
  private static final int DAMAGED = 3;
  private static final ObjectMapper JSON = new ObjectMapper();

  @Option(
      names = "--data-directory",
      paramLabel = "DIRECTORY",
      required = true,
      description = "The data directory.")
  private Path directory = Path.of("");

  @Mixin private OutputOption output = new OutputOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    VerifiedDisk disk = VerifiedDisk.of(directory);
    PrintWriter out = spec.commandLine().getOut();
    if (output.isJson()) {
      out.println(json(disk));
    } else {
      out.println(Printable.line(verdict(disk)));
      disk.problems().forEach(problem -> out.println("  " + Printable.line(problem)));
      printCopies(out, disk);
    }
    out.flush();
    return disk.problemCount() == 0 ? 0 : DAMAGED;
  }

  private String verdict(VerifiedDisk disk) {
    return disk.problemCount() == 0
        ? String.format(
            Locale.ROOT,
            "data directory %s: no problem was found; copies: %d, versions: %d, decisions: %d, up"
                + " to step %d",
            directory,
            disk.copies().size(),
            disk.versions(),
            disk.decisions(),
            disk.position())
        : String.format(
            Locale.ROOT,
            "%s data directory %s: problems: %d; move it aside, and start the server with an empty"
                + " one",
            ErrorCode.DISK_UNUSABLE,
            directory,
            disk.problemCount());
  }

  private static void printCopies(PrintWriter out, VerifiedDisk disk) {
    if (disk.copies().isEmpty()) {
      return;
    }
    TextTable table =
        new TextTable(List.of("shard", "copy", "keys", "versions", "log", "prepared"));
    for (VerifiedDisk.Copy copy : disk.copies()) {
      table.add(
          List.of(
              Integer.toString(copy.shard()),
              copy.complete() ? "complete" : "begun",
              Long.toString(copy.keys()),
              Long.toString(copy.versions()),
              Long.toString(copy.logged()),
              Long.toString(copy.prepared())));
    }
    table.lines().forEach(out::println);
  }

  private String json(VerifiedDisk disk) {
    ObjectNode all = JSON.createObjectNode();
    all.put("directory", directory.toString());
    all.put("problemCount", disk.problemCount());
    ArrayNode problems = all.putArray("problems");
    disk.problems().forEach(problems::add);
    all.put("position", disk.position());
    all.put("versions", disk.versions());
    all.put("decisions", disk.decisions());
    ArrayNode copies = all.putArray("copies");
    for (VerifiedDisk.Copy copy : disk.copies()) {
      copies
          .addObject()
          .put("shard", copy.shard())
          .put("complete", copy.complete())
          .put("keys", copy.keys())
          .put("versions", copy.versions())
          .put("log", copy.logged())
          .put("prepared", copy.prepared());
    }
    return Printable.line(all.toString());
  }

  /** {@code canopy verify}, where no other module brings it with more to verify. */
  @Command(name = "verify", description = "Check what servers have stored.")
  static final class Group implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
      throw new ParameterException(spec.commandLine(), "which command?");
    }
  }
}
