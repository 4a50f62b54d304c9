package io.canopygrid.commands;

import java.util.Locale;

/** How a command prints its result. */
enum Output {
  TABLE,
  JSON;

  /** As the user types it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
