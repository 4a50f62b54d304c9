package io.canopygrid.engine;

import io.canopygrid.ReadFrom;
import io.canopygrid.clock.VectorClock;

/**
 * The beginning of a transaction.
 *
 * @param mode what it may do
 * @param after what it must see; means nothing where it reads a named snapshot
 * @param deadlineNanos when its time is over, in the engine's {@link Pace}
 * @param label names it in statistics and in the errors of others
 * @param readFrom which copies it reads
 * @param snapshot the named snapshot that it reads, {@link Mode#READ_ONLY}; empty: the present
 */
public record Begin(
    Mode mode,
    VectorClock after,
    long deadlineNanos,
    String label,
    ReadFrom readFrom,
    String snapshot) {}
