package io.canopygrid.study.scale;

import java.util.Locale;

/** The places of clients. */
public enum ClientPlace {
  /** Clients are at the nodes, which ask the owners of keys. */
  NODES,
  /** Outside of the grid; each asks the owner of its key. */
  OUTSIDE;

  /** As the user types it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
