package io.canopygrid.ycsb.bench;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code canopy bench}: the group of benchmarks. */
@Command(
    name = "bench",
    description = "Measure Canopy.",
    synopsisSubcommandLabel = "BENCHMARK",
    subcommands = {
      YcsbCommand.class,
      PipelineCommand.class,
      HotKeyCommand.class,
      MicroCommand.class,
      MemoryCommand.class,
      CompareCommand.class
    })
final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which benchmark?");
  }
}
