package io.canopygrid.btree.simulation;

import io.canopygrid.clock.VectorClock;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One run of a transaction's body: what it saw and wrote, and how it ended. */
final class Attempt {
  /** Stands for the writer of a key that is not there. */
  static final long NOBODY = 0;

  /** The kind of a transaction. */
  enum Kind {
    /** Reads a snapshot. */
    READ_ONLY,
    /** Reads, and is validated like an update. */
    SERIALIZABLE,
    /** Writes too. */
    UPDATE
  }

  /** The way in which the attempt ended, as far as the client was told. */
  enum Status {
    RUNNING,
    COMMITTED,
    ABORTED,
    UNKNOWN
  }

  final long number;
  final int session;
  final Kind kind;
  final long began;

  /** By key the attempt whose value was seen; {@link #NOBODY}: there was none. */
  final Map<Slot, Long> seen = new TreeMap<>();

  /** Keys that a scan found below an own write: it is validated for them, unseen by the body. */
  final Set<Slot> underOwnWrites = new TreeSet<>();

  /** By key whether a value was put; false: it was removed. */
  final Map<Slot, Boolean> writes = new TreeMap<>();

  Status status = Status.RUNNING;
  long ended = -1;

  /** Why it was aborted. */
  @Nullable String error;

  /** Whether the attempt was told the tokens of all clients, after all of them had ended. */
  boolean seesAll;

  /** The commit clock it was told. */
  @Nullable VectorClock clock;

  Attempt(long number, int session, Kind kind, long began) {
    this.number = number;
    this.session = session;
    this.kind = kind;
    this.began = began;
  }

  void end(Status how, long now) {
    status = how;
    ended = now;
  }

  @Override
  public String toString() {
    return "#" + number;
  }

  /** Whether its caller was told that what it read was written by another transaction. */
  boolean isConflict() {
    return status == Status.ABORTED && "WRITE_CONFLICT".equals(error);
  }

  /** The way in which the attempt ended, in a word. */
  String outcome() {
    return (ended < 0 ? Status.RUNNING : status).name().toLowerCase(Locale.ROOT);
  }

  /** In words. */
  String story() {
    return String.format(
        Locale.ROOT,
        "%s of session %d, %s, %d to %d, %s%s, saw %s, wrote %s",
        this,
        session,
        kind,
        began,
        ended,
        status,
        error == null ? "" : " " + error,
        seen,
        writes);
  }
}
