package io.canopygrid.study.scale;

import java.util.Locale;

/** Where clients are. */
public enum ClientPlace {
  /** At the nodes, which ask the owners of keys. */
  NODES,
  /** Outside of the grid; each asks the owner of its key. */
  OUTSIDE;

  /** As the user types it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
