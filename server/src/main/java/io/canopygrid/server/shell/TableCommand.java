package io.canopygrid.server.shell;

import io.canopygrid.IndexState;
import io.canopygrid.TableReport;
import io.canopygrid.TableReport.Kind;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.terminal.OutputOption;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code canopy table}: shows, checks and drops the tables of a cluster. */
@Command(
    name = "table",
    description = "List, describe, check and drop the tables of a cluster.",
    footer = {
      "",
      "An index is made anew by Table.rebuildIndex, in a program that has its definition.",
      "A secondary index of a table is dropped with 'canopy index drop TABLE.INDEX'.",
      "Example: canopy table describe people -o json"
    })
public final class TableCommand {
  /** The exit code of a check that has found something. */
  private static final int DIFFERENT = 3;

  private static final int SHOWN_MAX = 10_000;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** For picocli. */
  public TableCommand() {}

  @Command(name = "list", description = "List all tables, with the types of their rows.")
  int list(@Mixin Connect connect, @Mixin OutputOption output) {
    try (RemoteCanopy db = connect.open()) {
      Rows rows = rows(output, "table", "keys", "rows", "indexes");
      for (String name : TableParts.namesOf(db)) {
        TableParts table = TableParts.open(db, name);
        rows.add(
            name,
            table.rows().keyCodec(),
            table.rows().valueCodec(),
            (long) table.table().indexes().size());
      }
      rows.end();
    }
    return 0;
  }

  @Command(name = "describe", description = "Show the secondary indexes of a table.")
  int describe(
      @Mixin Connect connect,
      @Parameters(paramLabel = "NAME", description = "The table.") String name,
      @Mixin OutputOption output) {
    try (RemoteCanopy db = connect.open()) {
      Rows rows = rows(output, "index", "state");
      for (Map.Entry<String, IndexState> index :
          TableParts.open(db, name).table().indexes().entrySet()) {
        rows.add(index.getKey(), index.getValue().name());
      }
      rows.end();
    }
    return 0;
  }

  @Command(
      name = "check",
      description = {
        "Find entries of the secondary indexes of a table that have no row, or cannot be read.",
        "Others may write meanwhile. Rows that lack an entry are found by Table.check only, in a",
        "program that has the definitions of the indexes."
      },
      exitCodeListHeading = "Exit code:%n",
      exitCodeList = {
        "0:no difference was found",
        "1:failure",
        "2:wrong command",
        "3:differences were found"
      })
  int check(
      @Mixin Connect connect,
      @Parameters(paramLabel = "NAME", description = "The table.") String name,
      @Option(
              names = "--show",
              paramLabel = "N",
              defaultValue = "20",
              description = "Describe so many differences, 0 to 10000 (20); all are counted.")
          int show,
      @Mixin OutputOption output) {
    if (show < 0 || show > SHOWN_MAX) {
      throw new ParameterException(spec.commandLine(), "--show is 0 to " + SHOWN_MAX);
    }
    try (RemoteCanopy db = connect.open()) {
      TableReport check = TableParts.open(db, name).table().check(show);
      Rows counts = rows(output, "index", "state", "checked", "entries", "orphans", "unreadable");
      for (TableReport.IndexCheck index : check.indexes()) {
        counts.add(
            index.index(),
            index.state().name(),
            index.depth().name(),
            index.entries(),
            index.count(Kind.ORPHAN),
            index.count(Kind.UNREADABLE));
      }
      counts.end();
      Rows differences = rows(output, "index", "difference", "attribute", "key", "detail");
      for (TableReport.Difference each : check.differences()) {
        differences.add(
            each.index(), each.kind().name(), each.attribute(), each.key(), each.detail());
      }
      differences.end();
      return check.count() == 0 ? 0 : DIFFERENT;
    }
  }

  @Command(
      name = "drop",
      description = "Drop a table with all of its rows and indexes. Named snapshots keep theirs.")
  int drop(
      @Mixin Connect connect,
      @Parameters(paramLabel = "NAME", description = "The table.") String name,
      @Mixin Confirmation confirmation) {
    try (RemoteCanopy db = connect.open()) {
      if (!TableParts.namesOf(db).contains(name)) {
        throw TableParts.unknown(name);
      }
      confirmation.ask("table '" + name + "' with all of its rows and indexes", name);
      if (!db.dropTable(name)) {
        throw TableParts.unknown(name);
      }
    }
    return 0;
  }

  private Rows rows(OutputOption output, String... headings) {
    return new Rows(spec.commandLine().getOut(), output.format(), headings);
  }
}
