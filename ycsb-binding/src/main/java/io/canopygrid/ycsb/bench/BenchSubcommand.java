package io.canopygrid.ycsb.bench;

import io.canopygrid.server.cli.Subcommand;
import java.util.ServiceLoader;
import picocli.CommandLine;

/** Adds {@code canopy bench}, with the benchmarks of all modules on the class path. */
public final class BenchSubcommand implements Subcommand {
  /** For {@link java.util.ServiceLoader}. */
  public BenchSubcommand() {}

  @Override
  public Object command() {
    CommandLine bench = new CommandLine(new BenchCommand());
    for (Benchmark module : ServiceLoader.load(Benchmark.class)) {
      bench.addSubcommand(module.command());
    }
    return bench;
  }
}
