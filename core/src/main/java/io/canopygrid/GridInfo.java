package io.canopygrid;

import java.time.Instant;

/**
 * The grid that a handle is of. Immutable and thread-safe.
 *
 * @param id tells it from every other grid
 * @param founded the time at which its first member founded it, by that member's clock: for people,
 *     since nothing is ordered by it
 */
public record GridInfo(GridId id, Instant founded) {
  /** For people: id and time. */
  @Override
  public String toString() {
    return "grid " + id + ", founded " + founded;
  }
}
