package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;

/**
 * A begun transaction.
 *
 * @param transaction its handle at its node
 * @param clock where its snapshot begins
 */
public record Begun(long transaction, VectorClock clock) {}
