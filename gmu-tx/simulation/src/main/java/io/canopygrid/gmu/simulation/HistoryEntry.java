package io.canopygrid.gmu.simulation;

import java.util.List;

/**
 * A transaction as its client saw it, in a form that other checkers know: each key is a list, to
 * which each writer appends its number, deletes too. A version that was read is the list of all
 * writers up to its own, in the order that the copies have in the end.
 *
 * @param session its client's number; each named snapshot is a session of its own
 * @param began in virtual time
 * @param ended in virtual time, not before it began
 * @param last whether it is a read of the end of the run, when all other clients have ended
 * @param reads by key what was seen
 * @param appended keys that it wrote
 */
public record HistoryEntry(
    long number,
    int session,
    long began,
    long ended,
    Ending ending,
    boolean last,
    List<Read> reads,
    List<String> appended) {
  public HistoryEntry {
    reads = List.copyOf(reads);
    appended = List.copyOf(appended);
  }

  /** The way in which a transaction ended, as its client was told. */
  public enum Ending {
    COMMITTED,
    ABORTED,
    /** Also of those that never ended. */
    UNKNOWN
  }

  /** A key that was read, and the numbers of those who wrote it up to then. */
  public record Read(String key, List<Long> writers) {
    public Read {
      writers = List.copyOf(writers);
    }
  }
}
