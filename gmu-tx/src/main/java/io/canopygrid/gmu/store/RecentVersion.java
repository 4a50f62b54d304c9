package io.canopygrid.gmu.store;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.TxId;
import org.jspecify.annotations.Nullable;

/** A version that may have others below it, or that not every snapshot sees. */
final class RecentVersion extends VersionChain {
  private final TxId tid;
  private final TxId writer;
  private final VectorClock clock;
  private final @Nullable VersionChain older;

  RecentVersion(
      TxId tid,
      TxId writer,
      long sequenceNumber,
      VectorClock clock,
      byte @Nullable [] value,
      @Nullable VersionChain older) {
    super(sequenceNumber, value);
    this.tid = tid;
    this.writer = writer;
    this.clock = clock;
    this.older = older;
  }

  @Override
  public TxId tid() {
    return tid;
  }

  @Override
  public TxId writer() {
    return writer;
  }

  @Override
  public VectorClock clock() {
    return clock;
  }

  @Override
  public @Nullable VersionChain older() {
    return older;
  }
}
