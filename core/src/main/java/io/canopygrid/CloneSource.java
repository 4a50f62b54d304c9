package io.canopygrid;

import java.time.Instant;

/**
 * The state of which a clone is made: an index, in the present or as it was. Immutable and
 * thread-safe.
 */
public final class CloneSource {
  private final String index;
  private final String snapshot;

  private CloneSource(String index, String snapshot) {
    this.index = index;
    this.snapshot = snapshot;
  }

  /** An index as it is when the clone is made. */
  public static CloneSource of(String index) {
    return new CloneSource(Arguments.notNull("index", index), "");
  }

  /**
   * The index as a named snapshot shows it. The snapshot may be dropped once the clone is made.
   *
   * @param name as of {@link Canopy#snapshot}
   */
  public CloneSource at(String name) {
    if (Arguments.notNull("name", name).isEmpty()) {
      throw Arguments.invalid("the name of a snapshot is empty");
    }
    return new CloneSource(index, name);
  }

  /** The index as it was at a time, as of {@link TransactionOptions#asOf}. */
  public CloneSource asOf(Instant time) {
    return new CloneSource(index, TransactionOptions.DEFAULTS.asOf(time).snapshot());
  }

  /** The name of the index. */
  public String index() {
    return index;
  }

  /** The state, as of {@link TransactionOptions#at}; empty: the present. */
  public String snapshot() {
    return snapshot;
  }
}
