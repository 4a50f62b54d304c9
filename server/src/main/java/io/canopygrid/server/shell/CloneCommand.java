package io.canopygrid.server.shell;

import io.canopygrid.CloneSource;
import io.canopygrid.IndexClone;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.server.terminal.OutputFormat;
import io.canopygrid.server.terminal.OutputOption;
import io.canopygrid.server.terminal.Progress;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code canopy clone}: makes, lists and flattens clones of indexes. */
@Command(
    name = "clone",
    description = "Make, list and flatten clones of indexes.",
    footer = {
      "",
      "A clone is an index that begins with the entries of another one, its parent.",
      "To make one takes a moment, however many there are. Parent and clone do not",
      "see what is written to the other one. Until a clone is flattened or dropped,",
      "what is overwritten in the cluster takes memory.",
      "A clone is dropped as any index: canopy index drop NAME.",
      "Example: canopy clone create trial --of accounts && canopy clone list"
    })
public final class CloneCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** For picocli. */
  public CloneCommand() {}

  /** The state of the parent, if it is not the present. */
  static final class State {
    @Option(
        names = "--at",
        paramLabel = "SNAPSHOT",
        description = "As this named snapshot shows it, which may be dropped then.")
    private @Nullable String snapshot;

    @Option(
        names = "--as-of",
        paramLabel = "TIME",
        description = "As it was at this time, as 2026-11-28T12:00:00Z.")
    private @Nullable Instant asOf;

    /** The state of an index. */
    CloneSource of(String index) {
      CloneSource present = CloneSource.of(index);
      if (snapshot != null) {
        return present.at(snapshot);
      }
      return asOf == null ? present : present.asOf(asOf);
    }
  }

  @Command(name = "create", description = "Make a clone of an index as it is, or as it was.")
  int create(
      @Mixin Connect connect,
      @Parameters(paramLabel = "NAME", description = "Its name, which no index has.") String name,
      @Option(
              names = "--of",
              required = true,
              paramLabel = "INDEX",
              description = "The index that it is made of.")
          String parent,
      @ArgGroup @Nullable State state,
      @Mixin OutputOption output) {
    CloneSource source = state == null ? CloneSource.of(parent) : state.of(parent);
    try (RemoteCanopy db = connect.open()) {
      print(out(), output.format(), List.of(db.cloneIndex(name, source)));
    }
    return 0;
  }

  @Command(
      name = "list",
      description = {
        "List the clones, each with its parent, the moment of which it is, and its depth:",
        "how many indexes a read may have to look at below it."
      })
  int list(@Mixin Connect connect, @Mixin OutputOption output) {
    try (RemoteCanopy db = connect.open()) {
      print(out(), output.format(), db.clones());
    }
    return 0;
  }

  @Command(
      name = "flatten",
      description = {
        "Copy into a clone what it shares with its parent, while others use it.",
        "It is an index as any other then. Run it again where it was interrupted."
      })
  int flatten(
      @Mixin Connect connect,
      @Parameters(paramLabel = "NAME", description = "The clone.") String name,
      @Mixin OutputOption output) {
    try (RemoteCanopy db = connect.open()) {
      Rows rows = new Rows(out(), output.format(), "index", "copied");
      rows.add(name, flatten(db, name, Narrator.onStandardError()));
      rows.end();
    }
    return 0;
  }

  /** Flattens a clone and tells how far that is; the number of entries that were copied. */
  static long flatten(RemoteCanopy db, String name, Narrator narrator) {
    try (Progress progress = narrator.ratedProgress("copying", "entries", Progress.UNKNOWN)) {
      return db.flattenClone(name, progress::reached);
    }
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Prints clones, also for the shell. */
  static void print(PrintWriter out, OutputFormat format, List<IndexClone> clones) {
    Rows rows = new Rows(out, format, "clone", "parent", "of", "depth");
    clones.forEach(
        each -> rows.add(each.name(), each.parent(), each.of().toString(), (long) each.depth()));
    rows.end();
  }
}
