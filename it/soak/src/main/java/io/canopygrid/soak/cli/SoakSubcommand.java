package io.canopygrid.soak.cli;

import io.canopygrid.server.cli.Subcommand;

/** Adds {@code canopy soak}. */
public final class SoakSubcommand implements Subcommand {
  /** For {@link java.util.ServiceLoader}. */
  public SoakSubcommand() {}

  @Override
  public Object command() {
    return new SoakCommand();
  }
}
