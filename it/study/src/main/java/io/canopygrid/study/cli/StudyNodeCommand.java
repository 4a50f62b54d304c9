package io.canopygrid.study.cli;

import io.canopygrid.btree.embedded.ClusterJoin;
import io.canopygrid.study.grid.StudyCluster;
import io.canopygrid.study.grid.StudyMember;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code canopy study node}: one of a study's nodes, until its standard input ends. */
@Command(name = "node", hidden = true, description = "A node of a study.")
final class StudyNodeCommand implements Callable<Integer> {
  @Option(names = "--name", required = true, description = "The cluster's name.")
  private String name = "";

  @Option(
      names = "--ports",
      required = true,
      split = ",",
      description = "Of those before this one, and its own.")
  private List<Integer> ports = List.of();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    int own = ports.size() - 1;
    try (StudyMember member =
        new StudyMember(ClusterJoin.alone(StudyCluster.config(name, ports, own)))) {
      out.println("READY " + member.node().self() + " 127.0.0.1:" + ports.get(own));
      out.flush();
      while (System.in.read() >= 0) {
        // The text of the input is of no interest, only its end.
      }
    }
    return 0;
  }
}
