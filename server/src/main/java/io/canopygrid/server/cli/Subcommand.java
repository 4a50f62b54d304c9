package io.canopygrid.server.cli;

/**
 * A command that another module adds to {@code canopy}, found by {@link java.util.ServiceLoader}.
 * Used by one thread, once per command line.
 */
public interface Subcommand {
  /**
   * A fresh object of a class with {@code picocli.CommandLine.Command}; that annotation's name and
   * subcommands are what the user types. The command's exit code is 0 only on success; an exception
   * becomes exit code 1, a {@code picocli.CommandLine.ParameterException} exit code 2.
   */
  Object command();
}
