package io.canopygrid.btree.catalog;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.LevelEntry;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.store.VersionChain;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads and changes the level of the grid in TOP. Thread-safe. */
public final class LevelChanges {
  private static final String LABEL = "canopy.level";

  private final GmuNode node;
  private final Catalog catalog;

  /** The level as one node sees it. */
  public LevelChanges(GmuNode node, Catalog catalog) {
    this.node = node;
    this.catalog = catalog;
  }

  /** Takes notice of what this node's copy of TOP says, which may lag behind. */
  public synchronized void look() {
    VersionChain here = node.top().get(LevelEntry.KEY.bytes());
    if (here != null) {
      LevelEntry known = decode(here.newestValue());
      node.level().isCertainly(known.level(), known.joined());
    }
  }

  /**
   * The level that the grid has.
   *
   * @throws CanopyException {@link ErrorCode#SHARD_UNAVAILABLE}, {@link ErrorCode#TIMEOUT}
   */
  public LevelEntry read() {
    return catalog.in(transaction -> decode(Catalog.get(transaction, LevelEntry.KEY).value()));
  }

  /**
   * Gives the grid another level.
   *
   * @param before the one that it must have
   * @return whether it had that, and has the next one now
   * @throws CanopyException {@link ErrorCode#SHARD_UNAVAILABLE}, {@link ErrorCode#TIMEOUT}
   */
  public boolean change(LevelEntry before, LevelEntry next) {
    boolean isChanged =
        catalog.in(transaction -> {
          ReadAnswer.Got found = Catalog.get(transaction, LevelEntry.KEY);
          LevelEntry now = decode(found.value());
          if (!now.equals(before)) {
            return now.equals(next); // by an attempt whose outcome was unknown
          }
          Footprint footprint =
              new Footprint(
                  List.of(new KeyRead(LevelEntry.KEY, found.seen())),
                  List.of(),
                  List.of(new Write(LevelEntry.KEY, next.encode(), null)));
          Outcome outcome = transaction.commit(footprint, LABEL);
          if (outcome instanceof Outcome.Aborted aborted
              && aborted.reason() == Outcome.AbortReason.SHARD_UNAVAILABLE) {
            throw new CanopyException(
                ErrorCode.SHARD_UNAVAILABLE, "the level of the grid cannot be written");
          }
          return outcome instanceof Outcome.Committed ? true : null;
        });
    look();
    return isChanged;
  }

  private static LevelEntry decode(byte @Nullable [] value) {
    return value == null ? LevelEntry.at(LevelEntry.WITHOUT) : LevelEntry.decode(value);
  }
}
