package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.ReadAnswer;

/** A shard's answer and the snapshot's clock after it. */
public record LocalRead(int shard, VectorClock clock, ReadAnswer answer) {}
