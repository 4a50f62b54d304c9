package io.canopygrid.engine;

import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.ErrorCode;
import io.canopygrid.FeedPosition;
import io.canopygrid.GridId;
import io.canopygrid.codec.KeyRange;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a feed of an index's changes.
 *
 * @param range the keys whose changes are told
 * @param index the number of the index that {@code after} is of; 0: it is of this one
 * @param after what was told before; null: it begins with the snapshot, or now
 * @param snapshot the state that is known, as of {@link Begin#snapshot}; empty: it begins now
 */
public record FeedStart(KeyRange range, int index, @Nullable CausalToken after, String snapshot) {
  /**
   * The beginning of a feed of an index.
   *
   * @param name of the index
   * @param position after which it begins; null: it begins with the snapshot, or now
   * @param grid that the index is of; null: it has no id, as in a simulation
   * @throws CanopyException {@link ErrorCode#INVALID_TOKEN} for a position of another index or grid
   */
  public static FeedStart of(
      KeyRange range,
      String name,
      @Nullable FeedPosition position,
      @Nullable GridId grid,
      String snapshot) {
    if (position == null) {
      return new FeedStart(range, 0, null, snapshot);
    }
    if (!position.index().equals(name)) {
      throw new CanopyException(
          ErrorCode.INVALID_TOKEN,
          "the position is of index '" + position.index() + "', and the feed of '" + name + "'");
    }
    position.told().checkOf(grid);
    return new FeedStart(range, position.number(), position.told(), snapshot);
  }

  /**
   * Checks that a position is of the index of this number, and not of a former one of its name.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}
   */
  public void requireOf(int number) {
    if (index != 0 && index != number) {
      throw new CanopyException(
          ErrorCode.UNKNOWN_INDEX,
          "the index that the position is of was dropped, and another one has its name");
    }
  }
}
