package io.canopygrid.server.backup;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option of commands that read or write several files at a time, for picocli to mix in. */
final class WorkersOption {
  private static final int WORKERS_MAX = 64;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "4",
      description = "Files at a time, 1 to 64 (4); each takes up to 64 MiB of memory.")
  private int workers;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec mixee = CommandSpec.create();

  int checked() {
    if (workers < 1 || workers > WORKERS_MAX) {
      throw new ParameterException(mixee.commandLine(), "--workers is 1 to " + WORKERS_MAX);
    }
    return workers;
  }
}
