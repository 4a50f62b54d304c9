package io.canopygrid.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The findings of the checker about a history.
 *
 * @param counts how often each anomaly was found; empty if the history is right
 * @param findings the first ones of each kind, in words
 * @param notes what is worth knowing and no violation
 * @param exact whether a violation, if there were one, would have been found
 * @param committed acknowledged transactions in the history
 * @param updates committed updates in the history
 * @param edges dependencies between them
 */
public record Verdict(
    Map<Anomaly, Integer> counts,
    List<Finding> findings,
    List<String> notes,
    boolean exact,
    int committed,
    int updates,
    int edges) {
  /** The result of checking a history. */
  public enum Result {
    /** The history keeps the model. */
    VALID,
    /** The history does not keep the model. */
    INVALID,
    /** Nothing was committed, or a violation might not have been found. */
    UNKNOWN
  }

  /**
   * One violation.
   *
   * @param anomaly its kind
   * @param words which transactions, which keys, how they depend on each other
   */
  public record Finding(Anomaly anomaly, String words) {
    @Override
    public String toString() {
      return anomaly + ": " + words;
    }
  }

  public Verdict {
    counts = Map.copyOf(counts);
    findings = List.copyOf(findings);
    notes = List.copyOf(notes);
  }

  /** Whether no violation was found. */
  public boolean clean() {
    return counts.isEmpty();
  }

  /** The conclusion. */
  public Result result() {
    if (!clean()) {
      return Result.INVALID;
    }
    return exact && committed > 0 ? Result.VALID : Result.UNKNOWN;
  }

  /** The same with one more note. */
  Verdict with(String note) {
    List<String> more = new ArrayList<>(notes);
    more.add(note);
    return new Verdict(counts, findings, more, exact, committed, updates, edges);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(clean() ? "clean" : counts.toString());
    text.append(": ").append(updates).append(" updates, ").append(edges).append(" dependencies");
    findings.forEach(finding -> text.append("\n  ").append(finding));
    notes.forEach(note -> text.append("\n  note: ").append(note));
    return text.toString();
  }
}
