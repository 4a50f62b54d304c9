package io.canopygrid.btree.catalog;

import static java.time.temporal.ChronoUnit.MILLIS;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.GridInfo;
import io.canopygrid.btree.crown.GridEntry;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.LevelEntry;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import java.time.Instant;
import java.util.List;

/**
 * Learns which grid a node has come to. The first node writes it into TOP, in a transaction: of
 * nodes that start at the same time one commits, and the others read what it wrote. TOP is kept as
 * long as one member lives, and so is the id.
 *
 * @param grid the grid
 * @param founded whether this node has written it, which is then the grid's first
 */
public record Founding(GridInfo grid, boolean founded) {
  private static final String LABEL = "canopy.grid";

  /**
   * Reads the grid, or writes it where there is none yet.
   *
   * @param id the id of the grid that is founded then; no other grid has it
   * @param level of that grid
   * @throws CanopyException {@link ErrorCode#SHARD_UNAVAILABLE}, {@link ErrorCode#TIMEOUT}
   */
  public static Founding of(Catalog catalog, GridId id, int level) {
    GridInfo fresh = new GridInfo(id, Instant.now().truncatedTo(MILLIS));
    return catalog.in(transaction -> {
      ReadAnswer.Got found = Catalog.get(transaction, GridEntry.KEY);
      byte[] value = found.value();
      if (value != null) {
        GridInfo grid = GridEntry.decode(value);
        return new Founding(grid, grid.id().equals(fresh.id()));
      }
      Footprint footprint =
          new Footprint(
              List.of(new KeyRead(GridEntry.KEY, found.seen())),
              List.of(),
              List.of(
                  new Write(GridEntry.KEY, GridEntry.encode(fresh), null),
                  new Write(LevelEntry.KEY, LevelEntry.at(level).encode(), null)));
      Outcome outcome = transaction.commit(footprint, LABEL);
      if (outcome instanceof Outcome.Aborted aborted
          && aborted.reason() == Outcome.AbortReason.SHARD_UNAVAILABLE) {
        throw new CanopyException(
            ErrorCode.SHARD_UNAVAILABLE, "the id of the grid cannot be written");
      }
      // After a conflict, or an unknown outcome, the next attempt reads what has been written.
      return outcome instanceof Outcome.Committed ? new Founding(fresh, true) : null;
    });
  }
}
