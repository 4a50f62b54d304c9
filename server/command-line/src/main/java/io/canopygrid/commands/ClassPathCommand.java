package io.canopygrid.commands;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code canopy classpath}: the class path that this command runs with. */
@Command(
    name = "classpath",
    description = {
      "Print the class path of the built command line, for programs and scripts that try Canopy"
          + " out.",
      "It has everything: the embedded grid, the client, the server and all commands."
    },
    footer = {"", "Example: java -cp \"$(./canopy classpath)\" Bank.java"})
final class ClassPathCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.println(System.getProperty("java.class.path"));
    out.flush();
    return 0;
  }
}
