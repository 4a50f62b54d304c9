package io.canopygrid.server.cli;

import io.canopygrid.server.logging.Logs;

/** The program {@code canopy}. */
public final class Main {
  private Main() {}

  /**
   * Runs one command and ends the JVM: with exit code 0 on success, 1 if the command failed, 2 if
   * it was not understood.
   */
  public static void main(String[] args) {
    Logs.begin();
    System.exit(CanopyCommand.commandLine().execute(args));
  }
}
