package io.canopygrid.server.terminal;

import java.util.Locale;

/** The format of a command's result. */
public enum OutputFormat {
  /** A table, for people. */
  TABLE,
  /** JSON, for programs: one object per line. */
  JSON;

  /** The format as the user types it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
