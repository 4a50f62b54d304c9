package io.canopygrid.server.project;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code canopy new}: a project to begin an application with. */
@Command(
    name = "new",
    description = {
      "Make a Maven project of an application that uses Canopy: three nodes, transactions, a test.",
      "It uses this release; where that is not in a repository that Maven knows, install it first."
    },
    footer = {"", "Example: canopy new shop --package com.example.shop"})
public final class NewCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "DIRECTORY",
      description =
          "Where to make it; it must not be there yet, or be empty. Its name is that of the project.")
  private Path directory = Path.of("");

  @Option(
      names = "--package",
      paramLabel = "NAME",
      description = "The package of its classes (the name of the project, without hyphens).")
  private @Nullable String packageName;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** For picocli. */
  public NewCommand() {}

  @Override
  public Integer call() {
    NewProject project = NewProject.of(directory, packageName);
    PrintWriter out = spec.commandLine().getOut();
    project.write().forEach(out::println);
    out.println();
    out.println("Next, and with 2 and 3 in two more terminals:");
    out.println();
    out.println("    cd " + directory);
    out.println("    mvn -q compile exec:java -Dexec.args=1");
    out.flush();
    return 0;
  }
}
