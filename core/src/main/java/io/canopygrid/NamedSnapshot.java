package io.canopygrid;

import java.time.Instant;

/**
 * The state of all indexes at one moment, kept under a name until it is dropped ({@link
 * Canopy#snapshot}).
 *
 * @param name as of an index
 * @param taken when, by the clock of the node that took it
 */
public record NamedSnapshot(String name, Instant taken) {
  /** Refuses null. */
  public NamedSnapshot {
    Arguments.notNull("name", name);
    Arguments.notNull("taken", taken);
  }
}
