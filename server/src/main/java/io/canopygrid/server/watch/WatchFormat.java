package io.canopygrid.server.watch;

import java.util.Locale;

/** The format in which changes are printed. */
enum WatchFormat {
  /** A line for each change, and an empty one between two transactions, for people. */
  TEXT,
  /** JSON, for programs: one object per line and transaction. */
  JSON;

  /** The format as the user types it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
