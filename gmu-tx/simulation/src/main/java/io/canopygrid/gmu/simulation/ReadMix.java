package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.ReadQuery.Turn;
import io.canopygrid.gmu.simulation.Reads.Way;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The frequency with which a run reads in other ways than plain ones. Drawn from generators of its
 * own: the seeds of runs without these ways stay what they are.
 */
final class ReadMix {
  private static final int AT_ONCE_MAX = 6;

  private final SeededRandom random;
  private final SeededRandom batches;
  private final SeededRandom queues;
  private final double serializable;
  private final double named;
  private final double nearest;
  private final double parallel;
  private final double turns;

  /**
   * @param batches for reads at the same time only
   * @param queues for reads in turn only
   * @param copies for hot copies only
   */
  ReadMix(
      SeededRandom random,
      SeededRandom batches,
      SeededRandom queues,
      SeededRandom copies,
      Reads reads) {
    this.random = random;
    this.batches = batches;
    this.queues = queues;
    this.serializable = reads.has(Way.SERIALIZABLE) ? random.oneOf(0, 0.3, 0.7) : 0;
    this.named = reads.has(Way.NAMED) ? random.oneOf(0, 0.2, 0.5) : 0;
    double near = reads.has(Way.NEAREST) ? random.oneOf(0, 0.5, 1) : 0;
    this.nearest = reads.has(Way.HOT) ? Math.max(near, copies.oneOf(0.5, 1)) : near;
    this.parallel = reads.has(Way.PARALLEL) ? batches.oneOf(0, 0.5, 1) : 0;
    this.turns = reads.has(Way.TURNS) ? queues.oneOf(0, 0.3, 1) : 0;
  }

  /** Whether all of a new session's read-only transactions are validated. */
  boolean isSerializableSession() {
    return random.chance(serializable);
  }

  /** Whether a new transaction reads at its own node, where that has a copy that is good enough. */
  boolean readsNearest() {
    return nearest > 0 && random.chance(nearest);
  }

  /** The numbers for a transaction that does something with a named snapshot; null: it does not. */
  @Nullable SeededRandom snapshotTurn() {
    return random.chance(named) ? random : null;
  }

  /** The way in which a read of a key waits for its turn. */
  Turn turn() {
    return turns > 0 && queues.chance(turns)
        ? queues.oneOf(List.of(Turn.BEHIND_OTHERS, Turn.OWN))
        : Turn.NONE;
  }

  /** The number of reads that are asked for at the same time, at most. */
  int readsAtOnce() {
    return parallel > 0 && batches.chance(parallel) ? batches.between(2, AT_ONCE_MAX) : 1;
  }
}
