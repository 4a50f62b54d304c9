package io.canopygrid.server.shell;

import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.terminal.OutputOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code canopy status}: shows the state of a cluster. */
@Command(
    name = "status",
    description = "Show the state of a cluster, its nodes and indexes, through one of its servers.")
public final class StatusCommand implements Callable<Integer> {
  /** For picocli. */
  public StatusCommand() {}

  @Mixin private Connect connect = new Connect();

  @Mixin private OutputOption output = new OutputOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    try (RemoteCanopy db = connect.open()) {
      StatusView.print(db, spec.commandLine().getOut(), output.format());
    }
    return 0;
  }
}
