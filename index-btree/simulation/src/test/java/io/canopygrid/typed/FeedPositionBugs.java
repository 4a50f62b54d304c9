package io.canopygrid.typed;

import io.canopygrid.FeedPosition;
import io.canopygrid.engine.EngineFeed;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.gmu.protocol.Replacement;

/** Broken rules of the positions of feeds. */
public final class FeedPositionBugs {
  /** A position is that of a whole group of commits, of which the caller was told some only. */
  @SuppressWarnings("rawtypes") // the class of a generic type is raw
  public static final Replacement AHEAD =
      Replacement.replacing(
          TypedFeed.class,
          "position",
          call ->
              FeedPosition.of(
                  call.field("entries", EntryCodec.class).index(),
                  call.field("feed", EngineFeed.class).index(),
                  call.field("feed", EngineFeed.class).position()));

  private FeedPositionBugs() {}
}
