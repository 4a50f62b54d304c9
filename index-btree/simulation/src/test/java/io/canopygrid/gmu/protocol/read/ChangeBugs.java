package io.canopygrid.gmu.protocol.read;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.ChangeQuery;
import io.canopygrid.gmu.protocol.Replacement;

/** Broken rules of the answers about changes. */
public final class ChangeBugs {
  /** A commit counts as told where its number in the shard does not say otherwise. */
  public static final Replacement KNOWN_BY_NUMBER =
      Replacement.replacing(
          ChangeRead.class,
          "isKnown",
          call -> {
            int shard = call.field("view", ShardView.class).shard();
            VectorClock from = call.field("query", ChangeQuery.class).from();
            return call.argument(0, VectorClock.class).get(shard) <= from.get(shard);
          });

  /** Commits are told that the second snapshot does not show. */
  public static final Replacement BEYOND_SNAPSHOT =
      Replacement.returning(ChangeRead.class, "isShown", true);

  /** A primary answers before it has applied all that the second snapshot shows. */
  public static final Replacement NOT_AWAITED =
      Replacement.replacing(
          ChangeRead.class, "isApplied", call -> call.field("view", ShardView.class).serving());

  /** Nobody looks whether changes after the first snapshot are gone. */
  public static final Replacement HORIZON_UNSEEN =
      Replacement.returning(ChangeRead.class, "isKept", true);

  /** A version that was carried to another place counts as a change. */
  public static final Replacement CARRIED_TOLD =
      Replacement.returning(ChangeRead.class, "isOwn", true);

  private ChangeBugs() {}
}
