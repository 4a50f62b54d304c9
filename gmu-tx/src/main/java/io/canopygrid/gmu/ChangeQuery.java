package io.canopygrid.gmu;

import io.canopygrid.clock.VectorClock;

/**
 * A question for a part of the commits of a shard that lie between two snapshots (docs/protocol.md,
 * Change feeds).
 *
 * @param from what is at or below this clock is known; something must hold the horizon below it
 * @param upTo a join of commit clocks: what is not at or below it is not told
 * @param above commits up to this number of the shard were told before; 0: none
 * @param commitsMax the number of commits after which the answer ends
 * @param bytesMax the bytes of keys and values after which the answer ends
 * @param lookedMax the commits after which the answer ends, those of other keys included
 */
public record ChangeQuery(
    int shard,
    VectorClock from,
    VectorClock upTo,
    long above,
    int commitsMax,
    int bytesMax,
    int lookedMax) {}
