package io.canopygrid.ycsb.bench;

import io.canopygrid.server.cli.Subcommand;

/** Adds {@code canopy bench}. */
public final class BenchSubcommand implements Subcommand {
  /** For {@link java.util.ServiceLoader}. */
  public BenchSubcommand() {}

  @Override
  public Object command() {
    return new BenchCommand();
  }
}
