package io.canopygrid.btree.subtree;

import io.canopygrid.gmu.Invariant;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What the header of a subtree says. Immutable; the arrays are not to be changed.
 *
 * <p>A subtree's lowest key never changes, a split takes its upper part away. So whoever looks in
 * the wrong subtree has to go right, and {@link #cameFrom} leads to the one that had a key before
 * this subtree was born.
 *
 * @param index the index's number
 * @param entriesMax entries above which it is split, fixed when the index is created
 * @param low lowest key, inclusive
 * @param high highest key, exclusive; null: no end
 * @param left the subtree that ends at {@code low}, {@link #NONE} for the first
 * @param right the subtree that begins at {@code high}, {@link #NONE} for the last
 * @param cameFrom the subtree it was split off from, {@link #NONE} for an index's first
 * @param closingFrom a split is about to move the keys from here on: they are not written
 *     meanwhile; null: none is
 */
public record SubtreeHeader(
    int index,
    int entriesMax,
    byte[] low,
    byte @Nullable [] high,
    long left,
    long right,
    long cameFrom,
    byte @Nullable [] closingFrom) {
  /** No subtree: a kcl of TOP is none. */
  public static final long NONE = 0;

  /*
   * Version, index, entriesMax, left, right, cameFrom, then the lengths of the three keys and their
   * bytes. The offsets are known to SubtreeFences, which compares keys where they lie.
   */
  static final byte VERSION = 1;
  static final int INDEX_AT = 1;
  static final int ENTRIES_MAX_AT = 5;
  static final int LEFT_AT = 9;
  static final int RIGHT_AT = 17;
  static final int CAME_FROM_AT = 25;
  static final int LOW_LENGTH_AT = 33;
  static final int HIGH_LENGTH_AT = 35;
  static final int CLOSING_LENGTH_AT = 37;
  static final int KEYS_AT = 39;

  /** Above what {@link io.canopygrid.gmu.ShardMap#kclIn} finds for any number of shards. */
  private static final long FIRST_KCL = 1L << 32;

  /** The length of a key that is null. */
  static final int NO_KEY = 0xFFFF;

  /** Checks that the range is one. */
  public SubtreeHeader(
      int index,
      int entriesMax,
      byte[] low,
      byte @Nullable [] high,
      long left,
      long right,
      long cameFrom,
      byte @Nullable [] closingFrom) {
    Invariant.holds(entriesMax >= 1, "a subtree has room for an entry: %s", entriesMax);
    Invariant.holds(
        high == null || Arrays.compareUnsigned(low, high) < 0, "a subtree's range is not empty");
    Invariant.holds((high == null) == (right == NONE), "the last subtree has no end: %s", right);
    Invariant.holds((low.length == 0) == (left == NONE), "the first one begins at the empty key");
    Invariant.holds(
        closingFrom == null || Arrays.compareUnsigned(low, closingFrom) < 0,
        "a split leaves something below");
    Invariant.holds(
        closingFrom == null || high == null || Arrays.compareUnsigned(closingFrom, high) < 0,
        "a split moves something");
    this.index = index;
    this.entriesMax = entriesMax;
    this.low = low;
    this.high = high;
    this.left = left;
    this.right = right;
    this.cameFrom = cameFrom;
    this.closingFrom = closingFrom;
  }

  /** The header of a new index's only subtree. */
  public static SubtreeHeader first(int index, int entriesMax) {
    return new SubtreeHeader(index, entriesMax, new byte[0], null, NONE, NONE, NONE, null);
  }

  /**
   * Whether a kcl can be a subtree's. The low ones are for what needs no header: TOP, and entries
   * that must be in a given shard ({@link io.canopygrid.gmu.ShardMap#kclIn}).
   */
  public static boolean isSubtree(long kcl) {
    return (kcl < 0 && !CommitRecords.isRecords(kcl)) || kcl >= FIRST_KCL;
  }

  /** Whether the subtree has what there is of a key. */
  public boolean covers(byte[] userKey) {
    return Arrays.compareUnsigned(low, userKey) <= 0 && isBelowHigh(userKey);
  }

  /** Whether a key is below the subtree's end. */
  public boolean isBelowHigh(byte[] userKey) {
    return high == null || Arrays.compareUnsigned(userKey, high) < 0;
  }

  /** Whether an end is beyond the subtree's. */
  public boolean isAboveHigh(byte[] end) {
    return high != null && Arrays.compareUnsigned(end, high) > 0;
  }

  /** This header while the keys from {@code mid} on are being moved away. */
  public SubtreeHeader closing(byte[] mid) {
    return new SubtreeHeader(index, entriesMax, low, high, left, right, cameFrom, mid);
  }

  /** This header after a split that did not happen. */
  public SubtreeHeader reopened() {
    return new SubtreeHeader(index, entriesMax, low, high, left, right, cameFrom, null);
  }

  /** This header after a split: its upper part is in {@code newRight} now. */
  public SubtreeHeader lowerPart(byte[] mid, long newRight) {
    return new SubtreeHeader(index, entriesMax, low, mid, left, newRight, cameFrom, null);
  }

  /** The header of the subtree that takes this one's upper part, {@code self} being this one. */
  public SubtreeHeader upperPart(byte[] mid, long self) {
    return new SubtreeHeader(index, entriesMax, mid, high, self, right, self, null);
  }

  /** This header with another left neighbour. */
  public SubtreeHeader withLeft(long newLeft) {
    return new SubtreeHeader(index, entriesMax, low, high, newLeft, right, cameFrom, closingFrom);
  }

  /** The header as it is stored. */
  public byte[] encode() {
    int size = KEYS_AT + low.length + lengthOf(high) + lengthOf(closingFrom);
    ByteBuffer out = ByteBuffer.allocate(size);
    out.put(VERSION).putInt(index).putInt(entriesMax);
    out.putLong(left).putLong(right).putLong(cameFrom);
    out.putShort((short) low.length);
    out.putShort((short) (high == null ? NO_KEY : high.length));
    out.putShort((short) (closingFrom == null ? NO_KEY : closingFrom.length));
    out.put(low);
    if (high != null) {
      out.put(high);
    }
    if (closingFrom != null) {
      out.put(closingFrom);
    }
    return out.array();
  }

  /** The header with these bytes. */
  public static SubtreeHeader decode(byte[] bytes) {
    Invariant.holds(
        bytes.length >= KEYS_AT && bytes[0] == VERSION,
        "a header of version %s: %s bytes",
        VERSION,
        bytes.length);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int lowLength = in.getShort(LOW_LENGTH_AT) & 0xFFFF;
    int highLength = in.getShort(HIGH_LENGTH_AT) & 0xFFFF;
    int closingLength = in.getShort(CLOSING_LENGTH_AT) & 0xFFFF;
    int highAt = KEYS_AT + lowLength;
    int closingAt = highAt + (highLength == NO_KEY ? 0 : highLength);
    return new SubtreeHeader(
        in.getInt(INDEX_AT),
        in.getInt(ENTRIES_MAX_AT),
        Arrays.copyOfRange(bytes, KEYS_AT, highAt),
        highLength == NO_KEY ? null : Arrays.copyOfRange(bytes, highAt, closingAt),
        in.getLong(LEFT_AT),
        in.getLong(RIGHT_AT),
        in.getLong(CAME_FROM_AT),
        closingLength == NO_KEY
            ? null
            : Arrays.copyOfRange(bytes, closingAt, closingAt + closingLength));
  }

  private static int lengthOf(byte @Nullable [] key) {
    return key == null ? 0 : key.length;
  }

  /** For people. */
  @Override
  public String toString() {
    return "index %d [%s, %s) left=%d right=%d from=%d%s"
        .formatted(
            index,
            Keys.text(low),
            high == null ? "end" : Keys.text(high),
            left,
            right,
            cameFrom,
            closingFrom == null ? "" : " closing from " + Keys.text(closingFrom));
  }
}
