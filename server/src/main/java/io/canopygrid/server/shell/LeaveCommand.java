package io.canopygrid.server.shell;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.wire.client.Reply;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code canopy leave}: lets a server leave its cluster for good. */
@Command(
    name = "leave",
    description = {
      "Let a server hand over its shards and leave its cluster for good, with its data directory.",
      "Ends when the others have all that it had; it then ends with exit code 0. Where they",
      "could not do without it, it stays (CNPY-4013). Only for administrators."
    },
    footer = {"", "Example: canopy leave vm3 -c canopy://vm1,vm2,vm3"})
public final class LeaveCommand implements Callable<Integer> {
  @Mixin private Connect connect = new Connect();

  @Parameters(paramLabel = "NODE", description = "Its name, or its id in the cluster.")
  private String node = "";

  @Option(
      names = "--abandon",
      description = "Leave at once, whatever is lost: also with the last copy of data.")
  private boolean abandons;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** For picocli. */
  public LeaveCommand() {}

  @Override
  public Integer call() {
    Reply.NodeStatus found;
    try (RemoteCanopy db = connect.open()) {
      found = find(db.status().nodes());
    }
    try (RemoteCanopy db = connect.openAt(found.clientAddress())) {
      boolean leaves = false;
      while (!leaves) {
        leaves = db.leave(found.node(), found.clientAddress(), abandons);
      }
      spec.commandLine().getOut().println(node + " has handed over, and leaves");
    }
    return 0;
  }

  private Reply.NodeStatus find(List<Reply.NodeStatus> nodes) {
    List<Reply.NodeStatus> found =
        nodes.stream()
            .filter(each -> each.node().equals(node) || each.name().equals(node))
            .toList();
    if (found.size() != 1) {
      String problem = found.isEmpty() ? "no node of the cluster is" : "several nodes are";
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, problem + " called '" + node + "': see canopy status");
    }
    return found.get(0);
  }
}
