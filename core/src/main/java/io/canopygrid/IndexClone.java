package io.canopygrid;

import java.time.Instant;

/**
 * A clone: an index that began as the state of another one, its parent, at one moment, and has been
 * written to by itself since ({@link Canopy#cloneIndex}). Immutable and thread-safe.
 *
 * @param name as of an index
 * @param parent the name that the parent had at that moment
 * @param of that moment, by the clock of the node that took it
 * @param depth how many indexes a read may have to look at below the clone: 1 for a clone of an
 *     index that is none, at most {@value Limits#CLONE_DEPTH_MAX}
 */
public record IndexClone(String name, String parent, Instant of, int depth) {
  /** Refuses null. */
  public IndexClone {
    Arguments.notNull("name", name);
    Arguments.notNull("parent", parent);
    Arguments.notNull("of", of);
  }
}
