package io.canopygrid.server.terminal;

/** The format of a command's result. */
public enum OutputFormat {
  /** A table, for people. */
  TABLE,
  /** JSON, for programs: one object per line. */
  JSON
}
