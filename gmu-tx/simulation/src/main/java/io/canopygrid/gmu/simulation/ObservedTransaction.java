package io.canopygrid.gmu.simulation;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.TxId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The knowledge that a client has of one transaction: what it saw and wrote, and how it ended. */
final class ObservedTransaction {
  /** The kind of a transaction. */
  enum Kind {
    /** Reads only, without validation: never aborts. */
    READ_ONLY,
    /** Reads only, validated like an update. */
    SERIALIZABLE,
    /** Writes too. */
    UPDATE,
    /** Not one transaction, but all the reads in a named snapshot. */
    NAMED
  }

  /** The way in which the transaction ended, as far as the client was told. */
  enum Status {
    UNKNOWN,
    COMMITTED,
    ABORTED
  }

  /**
   * One key that was read.
   *
   * @param writer whose version was seen; null: none was ever written
   */
  record Saw(CompositeKey key, @Nullable TxId writer) {}

  final int number;
  final int session;
  final Kind kind;
  final long started;
  final List<Saw> reads = new ArrayList<>();

  /** By key the value that a read has shown; null: it has shown that there is none. */
  final Map<CompositeKey, byte @Nullable []> shown = new HashMap<>();

  /**
   * Of these, what the first read found that was asked of a primary in the newest topology: it
   * keeps real time.
   */
  final List<Saw> first = new ArrayList<>();

  /** By key the value written last; null: a delete. */
  final Map<CompositeKey, byte @Nullable []> writes = new LinkedHashMap<>();

  /** The ids of its prepares, the last one last: all others were refused. */
  final List<TxId> attempts = new ArrayList<>();

  Status status = Status.UNKNOWN;

  /** The clock of its commit, where that was told. */
  @Nullable VectorClock clock;

  /** Told as committed by a node that was expelled: others may see it later only. */
  boolean toldFromOutside;

  /** Whether it has run for longer than it may hold the horizon back. */
  boolean tooOld;

  /** When it ended, -1 before. */
  long ended = -1;

  ObservedTransaction(int number, int session, Kind kind, long started) {
    this.number = number;
    this.session = session;
    this.kind = kind;
    this.started = started;
  }

  boolean isCommitted() {
    return status == Status.COMMITTED;
  }

  /** The way in which the transaction ended, in words. */
  String outcome() {
    return ended < 0 ? "running" : status.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return "#" + number + attempts;
  }
}
