package io.canopygrid.server.shell;

import io.canopygrid.IndexState;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.terminal.OutputOption;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code canopy table}: shows and drops the tables of a cluster. */
@Command(
    name = "table",
    description = "List, describe and drop the tables of a cluster.",
    footer = {
      "",
      "A secondary index of a table is dropped with 'canopy index drop TABLE.INDEX'.",
      "Example: canopy table describe people -o json"
    })
public final class TableCommand {
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
