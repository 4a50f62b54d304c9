package io.canopygrid.gmu.store;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import org.jspecify.annotations.Nullable;

/**
 * The only version of its key, below the horizon: what a store at rest is made of. It has the parts
 * of its writer's id instead of an object, which only this version would keep alive.
 */
final class SettledVersion extends VersionChain {
  private final NodeId coordinator;
  private final long counter;

  /** Who moved it here, along with many others; null: it is where its writer put it. */
  private final @Nullable TxId mover;

  SettledVersion(TxId tid, TxId writer, long sequenceNumber, byte @Nullable [] value) {
    super(sequenceNumber, value);
    this.coordinator = writer.coordinator();
    this.counter = writer.counter();
    this.mover = tid.equals(writer) ? null : tid;
  }

  @Override
  public TxId tid() {
    return mover == null ? writer() : mover;
  }

  @Override
  public TxId writer() {
    return new TxId(coordinator, counter);
  }

  @Override
  public VectorClock clock() {
    return VectorClock.ZERO;
  }

  @Override
  public @Nullable VersionChain older() {
    return null;
  }
}
