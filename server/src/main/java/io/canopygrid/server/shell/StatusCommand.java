package io.canopygrid.server.shell;

import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.terminal.Output;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code canopy status}: who is in a cluster. */
@Command(
    name = "status",
    description = "Show the members of a cluster, through one of its servers.")
public final class StatusCommand implements Callable<Integer> {
  /** For picocli. */
  public StatusCommand() {}

  @Mixin private Connect connect = new Connect();

  @Option(
      names = "--output",
      paramLabel = "FORM",
      defaultValue = "TABLE",
      description = "table or json (table).")
  private Output output = Output.TABLE;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    try (RemoteCanopy db = connect.open()) {
      Members.print(db.cluster(), spec.commandLine().getOut(), output);
    }
    return 0;
  }
}
