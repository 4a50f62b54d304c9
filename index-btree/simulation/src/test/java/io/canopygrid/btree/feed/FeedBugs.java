package io.canopygrid.btree.feed;

import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.protocol.Replacement;
import java.util.List;
import java.util.Map;

/** Broken rules of feeds. */
public final class FeedBugs {
  /** Commits are told although one that they depend on is not known yet. */
  public static final Replacement NOT_CUT = Replacement.returning(FeedCut.class, "isKnown", true);

  /** Commits are told as the shards come. */
  public static final Replacement NOT_ORDERED =
      Replacement.replacing(FeedCut.class, "ordered", call -> call.argument(0, List.class));

  /** A feed does not hold the horizon. */
  public static final Replacement NOTHING_HELD =
      Replacement.replacing(
          IndexFeed.class,
          "holdBy",
          call -> {
            call.proceed();
            call.field("hold", GmuTransaction.class).end();
            call.field("holdBefore", GmuTransaction.class).end();
            return null;
          });

  /** A value that is on the disk only counts as none. */
  public static final Replacement COLD_IS_NONE =
      Replacement.returning(IndexFeed.class, "coldValues", Map.of());

  private FeedBugs() {}
}
