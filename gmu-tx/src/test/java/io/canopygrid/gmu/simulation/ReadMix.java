package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.simulation.SimulationOptions.Reads;
import org.jspecify.annotations.Nullable;

/**
 * How often a run reads in other ways than plain ones. Drawn from a generator of its own: the seeds
 * of runs without these ways stay what they are.
 */
final class ReadMix {
  private final SeededRandom random;
  private final double serializable;
  private final double named;
  private final double nearest;

  ReadMix(SeededRandom random, Reads reads) {
    this.random = random;
    boolean all = reads == Reads.ALL;
    this.serializable = all ? random.oneOf(0, 0.3, 0.7) : 0;
    this.named = all ? random.oneOf(0, 0.2, 0.5) : 0;
    this.nearest = all ? random.oneOf(0, 0.5, 1) : 0;
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
}
