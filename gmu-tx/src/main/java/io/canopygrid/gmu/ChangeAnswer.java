package io.canopygrid.gmu;

import io.canopygrid.clock.VectorClock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer of a shard's primary to a {@link ChangeQuery}. */
public sealed interface ChangeAnswer {
  /**
   * Commits in the order of their numbers.
   *
   * @param knownUpTo all commits between the snapshots with numbers up to this one are told, here
   *     or before; never below the number at which the first snapshot knows the shard
   * @param isLast whether there are no more, whatever the number
   */
  record Told(List<Commit> commits, long knownUpTo, boolean isLast) implements ChangeAnswer {}

  /** Nothing holds the horizon below the first snapshot: changes may be gone. */
  record TooOld() implements ChangeAnswer {}

  /** This node is not the shard's primary, or has not applied all of the second snapshot yet. */
  record NotHere() implements ChangeAnswer {}

  /**
   * The part of a commit that is in one shard.
   *
   * @param clock the commit's clock, the same in all shards that it wrote
   */
  record Commit(TxId tid, VectorClock clock, List<Change> changes) {}

  /**
   * The write of one key.
   *
   * @param value null: it was removed
   * @param before the value that it replaced; null: there was none, or it is on the disk
   * @param isBeforeCold whether the value that it replaced is on the disk only; it is the key's
   *     value in the first snapshot then
   */
  record Change(
      CompositeKey key, byte @Nullable [] value, byte @Nullable [] before, boolean isBeforeCold) {}
}
