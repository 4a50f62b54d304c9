package io.canopygrid.server.shell;

import io.canopygrid.NamedSnapshot;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.names.SnapshotNames;
import io.canopygrid.server.terminal.OutputOption;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code canopy snapshot}: takes, lists and drops named snapshots. */
@Command(
    name = "snapshot",
    description = "Take, list and drop named snapshots of a cluster.",
    footer = {
      "",
      "A named snapshot is one state of all indexes and tables, which is kept until it is dropped.",
      "All that is overwritten meanwhile is kept as well, and takes memory.",
      "Example: canopy snapshot create night && canopy export accounts accounts.csv --snapshot night"
    })
public final class SnapshotCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** For picocli. */
  public SnapshotCommand() {}

  @Command(name = "create", description = "Take a snapshot of the present, and name it.")
  int create(
      @Mixin Connect connect,
      @Parameters(paramLabel = "NAME", description = "Its name, which no other one has.")
          String name,
      @Mixin OutputOption output) {
    try (RemoteCanopy db = connect.open()) {
      print(output, List.of(db.snapshot(name)));
    }
    return 0;
  }

  @Command(name = "list", description = "List the snapshots, with the time of each.")
  int list(@Mixin Connect connect, @Mixin OutputOption output) {
    try (RemoteCanopy db = connect.open()) {
      print(output, db.snapshots());
    }
    return 0;
  }

  @Command(name = "drop", description = "Drop a snapshot; what reads at it ends.")
  int drop(
      @Mixin Connect connect,
      @Parameters(paramLabel = "NAME", description = "The snapshot.") String name,
      @Mixin Confirmation confirmation) {
    try (RemoteCanopy db = connect.open()) {
      if (db.snapshots().stream().noneMatch(taken -> taken.name().equals(name))) {
        throw SnapshotNames.unknown(name);
      }
      confirmation.ask("snapshot '" + name + "'", name);
      if (!db.dropSnapshot(name)) {
        throw SnapshotNames.unknown(name);
      }
    }
    return 0;
  }

  private void print(OutputOption output, List<NamedSnapshot> snapshots) {
    Rows rows = new Rows(spec.commandLine().getOut(), output.format(), "snapshot", "taken");
    snapshots.forEach(taken -> rows.add(taken.name(), taken.taken().toString()));
    rows.end();
  }
}
