package io.canopygrid.commands;

import io.canopygrid.server.cli.Subcommand;

/** Adds {@code canopy classpath}. */
public final class ClassPathSubcommand implements Subcommand {
  /** For {@link java.util.ServiceLoader}. */
  public ClassPathSubcommand() {}

  @Override
  public Object command() {
    return new ClassPathCommand();
  }
}
