package io.canopygrid.server.cli;

import io.canopygrid.server.logging.Logs;

/** The program {@code canopy}. */
public final class Main {
  private Main() {}

  /**
   * Runs one command and ends the JVM: 0 on success, 1 when the command failed, 2 when it was not
   * understood.
   */
  public static void main(String[] args) {
    Logs.begin();
    System.exit(CanopyCommand.commandLine().execute(args));
  }
}
