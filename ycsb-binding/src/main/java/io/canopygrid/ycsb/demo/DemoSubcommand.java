package io.canopygrid.ycsb.demo;

import io.canopygrid.server.cli.Subcommand;

/** Adds {@code canopy demo}. */
public final class DemoSubcommand implements Subcommand {
  /** For {@link java.util.ServiceLoader}. */
  public DemoSubcommand() {}

  @Override
  public Object command() {
    return new DemoCommand();
  }
}
