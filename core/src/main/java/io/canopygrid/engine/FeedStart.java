package io.canopygrid.engine;

import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.ErrorCode;
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
