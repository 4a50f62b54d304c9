package io.canopygrid.server.terminal;

import picocli.CommandLine.Option;

/** The option {@code --output} of a command that prints a table or JSON, for picocli to mix in. */
public final class OutputOption {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = "TABLE",
      description = "table or json (table).")
  private OutputFormat format = OutputFormat.TABLE;

  /** For picocli. */
  public OutputOption() {}

  /** The format that was chosen. */
  public OutputFormat format() {
    return format;
  }

  /** Whether the result is JSON. */
  public boolean isJson() {
    return format == OutputFormat.JSON;
  }
}
