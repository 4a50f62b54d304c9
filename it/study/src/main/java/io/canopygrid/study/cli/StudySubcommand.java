package io.canopygrid.study.cli;

import io.canopygrid.server.cli.Subcommand;

/** Adds {@code canopy study}. */
public final class StudySubcommand implements Subcommand {
  /** For {@link java.util.ServiceLoader}. */
  public StudySubcommand() {}

  @Override
  public Object command() {
    return new StudyCommand();
  }
}
