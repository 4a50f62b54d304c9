package io.canopygrid.commands;

import io.canopygrid.server.cli.Subcommand;

/** Adds {@code canopy simulate}. */
public final class SimulateSubcommand implements Subcommand {
  /** For {@link java.util.ServiceLoader}. */
  public SimulateSubcommand() {}

  @Override
  public Object command() {
    return new SimulateCommand();
  }
}
