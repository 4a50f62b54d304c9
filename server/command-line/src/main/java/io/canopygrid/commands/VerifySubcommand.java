package io.canopygrid.commands;

import io.canopygrid.server.cli.Subcommand;

/** Adds {@code canopy verify}. */
public final class VerifySubcommand implements Subcommand {
  /** For {@link java.util.ServiceLoader}. */
  public VerifySubcommand() {}

  @Override
  public Object command() {
    return new VerifyCommand();
  }
}
