package io.canopygrid.study.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code canopy study}: the group of the evaluation's commands. */
@Command(
    name = "study",
    description = "Compare the index with plain trees, and see how it scales.",
    synopsisSubcommandLabel = "STUDY",
    subcommands = {
      AblationCommand.class,
      ScaleCommand.class,
      CalibrateCommand.class,
      SizeCommand.class,
      StudyNodeCommand.class
    })
final class StudyCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which study?");
  }
}
