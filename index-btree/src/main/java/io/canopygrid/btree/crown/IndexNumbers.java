package io.canopygrid.btree.crown;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The number that was given to the newest index, as it is stored under {@link
 * CatalogEntry#NUMBERS}. A number must never be given again: clients, nodes and the handles of
 * programs know an index by it.
 *
 * <p>After a power cut a grid may be founded without its last commits. This entry then goes back,
 * and indexes that were created just before are gone, of which somebody may know the numbers still.
 * So with each cut the next number is so much higher as no grid creates indexes in the time that a
 * cut can take: each one takes a commit in TOP, one after the other, so that a million takes a
 * quarter of an hour at least, and a cut takes seconds at most. The entry says how many cuts it has
 * taken into account, as one of them can have taken an entry that had skipped numbers for those
 * before it.
 *
 * @param last the number of the newest index; 0: there was none yet
 * @param cuts how many cuts the grid had made when that was given
 */
public record IndexNumbers(int last, int cuts) {
  /** The numbers that are skipped for each cut: there are enough for 2,000 of them. */
  static final int SKIPPED = 1 << 20;

  /**
   * The entry with the number of the next index in it.
   *
   * @param before the entry as it is stored; null: there is none
   * @param cuts how many cuts the grid has made by now
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} where all numbers were given
   */
  public static IndexNumbers after(byte @Nullable [] before, int cuts) {
    IndexNumbers known = before == null ? new IndexNumbers(0, 0) : decode(before);
    long missed = Math.max(0, cuts - known.cuts);
    long next = known.last + 1L + missed * SKIPPED;
    if (next > Integer.MAX_VALUE) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "no index can be created: all numbers of indexes were given");
    }
    return new IndexNumbers((int) next, Math.max(cuts, known.cuts));
  }

  /** The entry as it is stored. */
  public byte[] encode() {
    return ByteBuffer.allocate(2 * Integer.BYTES).putInt(last).putInt(cuts).array();
  }

  /** The entry with these bytes; those from before there were cuts have the number only. */
  public static IndexNumbers decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    return new IndexNumbers(in.getInt(), in.hasRemaining() ? in.getInt() : 0);
  }
}
