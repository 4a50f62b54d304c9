package io.canopygrid.gmu.store;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.TxId;
import org.jspecify.annotations.Nullable;

/** The versions of one key, newest first; a chain is its newest version and the chain below it. */
public final class VersionChain {
  private final TxId tid;
  private final TxId writer;
  private final long sequenceNumber;
  private final VectorClock clock;
  private final byte @Nullable [] value;
  private final @Nullable VersionChain older;

  VersionChain(
      TxId tid,
      TxId writer,
      long sequenceNumber,
      VectorClock clock,
      byte @Nullable [] value,
      @Nullable VersionChain older) {
    this.tid = tid;
    this.writer = writer;
    this.sequenceNumber = sequenceNumber;
    this.clock = clock;
    this.value = value;
    this.older = older;
  }

  /** A chain as it was sent by another node: its newest version, and those below it. */
  public static VersionChain of(
      TxId tid,
      TxId writer,
      long sequenceNumber,
      VectorClock clock,
      byte @Nullable [] value,
      @Nullable VersionChain older) {
    return new VersionChain(tid, writer, sequenceNumber, clock, value, older);
  }

  /** The transaction that committed this version. */
  public TxId tid() {
    return tid;
  }

  /** The transaction whose write this is; differs from {@link #tid()} where the entry was moved. */
  public TxId writer() {
    return writer;
  }

  /** The commit's sequence number in its shard. */
  public long sequenceNumber() {
    return sequenceNumber;
  }

  /** The writer's commit clock. */
  public VectorClock clock() {
    return clock;
  }

  /** The value, not to be changed; null: a tombstone. */
  public byte @Nullable [] value() {
    return value;
  }

  public @Nullable VersionChain older() {
    return older;
  }

  public Seen seen() {
    return new Seen(writer, value == null);
  }
}
