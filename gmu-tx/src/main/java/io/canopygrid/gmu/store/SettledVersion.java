package io.canopygrid.gmu.store;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import org.jspecify.annotations.Nullable;

/**
 * The only version of its key, below the horizon, where its writer put it: what a store at rest is
 * made of. It has the parts of its writer's id instead of an object, which only this version would
 * keep alive.
 */
final class SettledVersion extends VersionChain {
  private final NodeId coordinator;
  private final long counter;

  SettledVersion(TxId tid, long sequenceNumber, byte @Nullable [] value) {
    super(sequenceNumber, value);
    this.coordinator = tid.coordinator();
    this.counter = tid.counter();
  }

  @Override
  public TxId tid() {
    return new TxId(coordinator, counter);
  }

  @Override
  public TxId writer() {
    return tid();
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
