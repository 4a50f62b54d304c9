package io.canopygrid.explain;

import java.util.List;
import java.util.Map;

/**
 * The course of a transaction that has ended.
 *
 * @param transaction its id; of several attempts that of the last one
 * @param label its label
 * @param beganMillis when it began, in milliseconds since 1970
 * @param nanos how long it took
 * @param code the id of the code with which it ended; empty: it committed, or was only to read
 * @param indexes the names of the indexes that it used, its last attempt in the end
 * @param attempts its attempts, at least one
 * @param steps its first steps, in the order in which they ended; parts follow their whole
 * @param leftOut how many more steps it had
 * @param sums the nanoseconds of all steps that are no parts, also of those that were left out
 */
public record Explained(
    String transaction,
    String label,
    long beganMillis,
    long nanos,
    String code,
    List<String> indexes,
    List<ExplainedAttempt> attempts,
    List<ExplainedStep> steps,
    long leftOut,
    Map<StepKind, Long> sums) {
  /** Copies the lists and the map. */
  public Explained {
    indexes = List.copyOf(indexes);
    attempts = List.copyOf(attempts);
    steps = List.copyOf(steps);
    sums = Map.copyOf(sums);
  }

  /** The time that no step has: of the node's own work between them. */
  public long otherNanos() {
    return Math.max(0, nanos - sums.values().stream().mapToLong(Long::longValue).sum());
  }
}
