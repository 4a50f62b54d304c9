package io.canopygrid.btree.subtree;

import io.canopygrid.gmu.Invariant;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The header of a subtree: its range, its neighbours, and what is moved away. Immutable; the arrays
 * are not to be changed.
 *
 * <p>A read in the wrong subtree goes on to the neighbour that is nearer to its key, or, where the
 * subtree is retired, to the subtree that took its last keys ({@link #towards}). {@link #cameFrom}
 * leads to the subtree that had the keys before this one was born.
 *
 * @param index the index's number
 * @param entriesMax entries above which it is split, fixed when the index is created
 * @param low lowest key, inclusive
 * @param high highest key, exclusive; null: no end
 * @param left the subtree that ends at {@code low}, {@link #NONE} for the first
 * @param right the subtree that begins at {@code high}, {@link #NONE} for the last
 * @param cameFrom the subtree whose keys it was born with, {@link #NONE} for an index's first
 * @param closing the part that is about to be moved away; null: none is
 * @param wentTo the subtree that took the last keys of this one, which is retired: it covers
 *     nothing, and its other components are those from before; {@link #NOWHERE}: its index was
 *     dropped; {@link #NONE}: it is not retired
 * @param schema of a table's rows: the number of the newest secondary index that all who write here
 *     have to know; 0: none
 * @param locks the keys that prepared transactions hold here, as far as the range goes
 */
public record SubtreeHeader(
    int index,
    int entriesMax,
    byte[] low,
    byte @Nullable [] high,
    long left,
    long right,
    long cameFrom,
    @Nullable Closing closing,
    long wentTo,
    int schema,
    List<KeyLock> locks) {
  /** No subtree: a kcl of TOP is none. */
  public static final long NONE = 0;

  /** Where the keys of a dropped index went; a kcl of no subtree. */
  public static final long NOWHERE = -1;

  /**
   * A kcl above those that {@link io.canopygrid.gmu.ShardMap#kclIn} finds for any number of shards.
   */
  private static final long FIRST_KCL = 1L << 32;

  /** Checks that the range is one. */
  public SubtreeHeader(
      int index,
      int entriesMax,
      byte[] low,
      byte @Nullable [] high,
      long left,
      long right,
      long cameFrom,
      @Nullable Closing closing,
      long wentTo,
      int schema,
      List<KeyLock> locks) {
    Invariant.holds(wentTo == NONE || locks.isEmpty(), "no key of a retired subtree is held");
    Invariant.holds(schema >= 0, "a schema number is none below 0: %s", schema);
    Invariant.holds(entriesMax >= 1, "a subtree has room for an entry: %s", entriesMax);
    Invariant.holds(
        high == null || Arrays.compareUnsigned(low, high) < 0, "a subtree's range is not empty");
    Invariant.holds((high == null) == (right == NONE), "the last subtree has no end: %s", right);
    Invariant.holds((low.length == 0) == (left == NONE), "the first one begins at the empty key");
    Invariant.holds(closing == null || wentTo == NONE, "what is retired has nothing to move");
    if (closing != null) {
      byte[] at = closing.at();
      if (closing.isLower()) {
        Invariant.holds(left != NONE, "the first subtree has no left neighbour");
        Invariant.holds(at != null || high == null, "a lower part has an end");
        Invariant.holds(
            at == null || Arrays.compareUnsigned(low, at) < 0, "a lower part is not empty");
        Invariant.holds(
            at == null || high == null || Arrays.compareUnsigned(at, high) <= 0,
            "a lower part ends in the subtree");
      } else {
        Invariant.holds(
            closing.to() == Closing.To.NEW || right != NONE, "the last one has no right neighbour");
        byte[] from = Invariant.present(at, "an upper part begins somewhere");
        Invariant.holds(Arrays.compareUnsigned(low, from) <= 0, "an upper part begins in it");
        Invariant.holds(
            high == null || Arrays.compareUnsigned(from, high) < 0, "an upper part is not empty");
      }
    }
    this.index = index;
    this.entriesMax = entriesMax;
    this.low = low;
    this.high = high;
    this.left = left;
    this.right = right;
    this.cameFrom = cameFrom;
    this.closing = closing;
    this.wentTo = wentTo;
    this.schema = schema;
    this.locks = List.copyOf(locks);
  }

  /** A header of a subtree in which nothing is held. */
  public SubtreeHeader(
      int index,
      int entriesMax,
      byte[] low,
      byte @Nullable [] high,
      long left,
      long right,
      long cameFrom,
      @Nullable Closing closing,
      long wentTo,
      int schema) {
    this(index, entriesMax, low, high, left, right, cameFrom, closing, wentTo, schema, List.of());
  }

  /** The header of a new index's only subtree. */
  public static SubtreeHeader first(int index, int entriesMax) {
    return new SubtreeHeader(index, entriesMax, new byte[0], null, NONE, NONE, NONE, null, NONE, 0);
  }

  /**
   * Whether a kcl can be a subtree's. The low kcls are for entries that need no header: TOP, and
   * entries that must be in a given shard ({@link io.canopygrid.gmu.ShardMap#kclIn}).
   */
  public static boolean isSubtree(long kcl) {
    return (kcl < 0 && !CommitRecords.isRecords(kcl)) || kcl >= FIRST_KCL;
  }

  /** Whether it covers nothing any more. */
  public boolean isRetired() {
    return wentTo != NONE;
  }

  /** Whether its index was dropped, so that its keys are nowhere. */
  public boolean isDropped() {
    return wentTo == NOWHERE;
  }

  /** Whether the subtree has what there is of a key. */
  public boolean covers(byte[] userKey) {
    return !isRetired() && Arrays.compareUnsigned(low, userKey) <= 0 && isBelowHigh(userKey);
  }

  /** Whether a key is below the subtree's end. */
  public boolean isBelowHigh(byte[] userKey) {
    return high == null || Arrays.compareUnsigned(userKey, high) < 0;
  }

  /** Whether an end is beyond the subtree's. */
  public boolean isAboveHigh(byte[] end) {
    return high != null && Arrays.compareUnsigned(end, high) > 0;
  }

  /** The subtree that is nearer to a key that this one does not cover. */
  public long towards(byte[] userKey) {
    return isRetired() ? wentTo : Arrays.compareUnsigned(userKey, low) < 0 ? left : right;
  }

  /**
   * The subtree that is nearer to the keys right below an end that this one does not cover.
   *
   * @param end exclusive; null: the end of the index
   */
  public long towardsBelow(byte @Nullable [] end) {
    boolean above = end == null || Arrays.compareUnsigned(end, low) > 0;
    return isRetired() ? wentTo : above ? right : left;
  }

  /** Whether all of the subtree is about to be moved away. */
  public boolean closesWhole() {
    return closing != null && Arrays.equals(closing.at(), closing.isLower() ? high : low);
  }

  /** This header while a part is being moved away; null: no part is being moved any more. */
  public SubtreeHeader withClosing(@Nullable Closing part) {
    return new SubtreeHeader(
        index, entriesMax, low, high, left, right, cameFrom, part, NONE, schema, locks);
  }

  /** This header with another left end; nothing is being moved any more. */
  public SubtreeHeader withLow(byte[] newLow, long newLeft) {
    return new SubtreeHeader(
        index,
        entriesMax,
        newLow,
        high,
        newLeft,
        right,
        cameFrom,
        null,
        NONE,
        schema,
        KeyLock.in(newLow, high, locks));
  }

  /** This header with another right end; nothing is being moved any more. */
  public SubtreeHeader withHigh(byte @Nullable [] newHigh, long newRight) {
    return new SubtreeHeader(
        index,
        entriesMax,
        low,
        newHigh,
        left,
        newRight,
        cameFrom,
        null,
        NONE,
        schema,
        KeyLock.in(low, newHigh, locks));
  }

  /** This header with another left neighbour. */
  public SubtreeHeader withLeft(long newLeft) {
    return new SubtreeHeader(
        index, entriesMax, low, high, newLeft, right, cameFrom, closing, NONE, schema, locks);
  }

  /** This header with another right neighbour. */
  public SubtreeHeader withRight(long newRight) {
    return new SubtreeHeader(
        index, entriesMax, low, high, left, newRight, cameFrom, closing, NONE, schema, locks);
  }

  /** This header after another subtree has taken all that was left. */
  public SubtreeHeader retired(long taker) {
    return new SubtreeHeader(
        index, entriesMax, low, high, left, right, cameFrom, null, taker, schema);
  }

  /** This header after its index was dropped. */
  public SubtreeHeader dropped() {
    return retired(NOWHERE);
  }

  /** This header for writers who know a secondary index; what they had to know before stays. */
  public SubtreeHeader withSchema(int least) {
    return new SubtreeHeader(
        index,
        entriesMax,
        low,
        high,
        left,
        right,
        cameFrom,
        closing,
        wentTo,
        Math.max(schema, least),
        locks);
  }

  /** This header with other locks, of which those of its range stay. */
  private SubtreeHeader withLocks(List<KeyLock> held) {
    return new SubtreeHeader(
        index,
        entriesMax,
        low,
        high,
        left,
        right,
        cameFrom,
        closing,
        wentTo,
        schema,
        KeyLock.in(low, high, held));
  }

  /** This header with what a subtree held from which it takes keys. */
  public SubtreeHeader withLocksOf(SubtreeHeader giver) {
    return withMoreLocks(giver.locks);
  }

  /** This header with these locks, too. */
  public SubtreeHeader withMoreLocks(List<KeyLock> more) {
    return withLocks(KeyLock.join(locks, more));
  }

  /** This header without the locks of a prepared transaction. */
  public SubtreeHeader withoutLocksOf(long owner) {
    return withLocks(locks.stream().filter(lock -> lock.owner() != owner).toList());
  }

  /** The lock that holds a key; null: none does. */
  public @Nullable KeyLock lockOf(byte[] userKey) {
    for (KeyLock lock : locks) {
      if (lock.contains(userKey)) {
        return lock;
      }
    }
    return null;
  }

  /**
   * The header of a subtree born with this one's keys from a key on.
   *
   * @param self this subtree
   * @param newLeft the subtree that ends where the new one begins
   */
  public SubtreeHeader born(byte[] from, long self, long newLeft) {
    return new SubtreeHeader(
        index,
        entriesMax,
        from,
        high,
        newLeft,
        right,
        self,
        null,
        NONE,
        schema,
        KeyLock.in(from, high, locks));
  }

  /** The header as it is stored. */
  public byte[] encode() {
    byte[] at = closing == null ? null : closing.at();
    boolean hasSchema = schema != 0 || !locks.isEmpty();
    ByteBuffer out =
        ByteBuffer.allocate(
            HeaderLayout.KEYS_AT
                + low.length
                + lengthOf(high)
                + lengthOf(at)
                + (hasSchema ? Integer.BYTES : 0)
                + KeyLock.bytes(locks));
    out.put(HeaderLayout.VERSION);
    out.put(state());
    out.putInt(index).putInt(entriesMax);
    out.putLong(left).putLong(right).putLong(cameFrom);
    out.putLong(closing == null ? wentTo : closing.shard());
    putLength(out, low);
    putLength(out, high);
    putLength(out, at);
    out.put(low);
    if (high != null) {
      out.put(high);
    }
    if (at != null) {
      out.put(at);
    }
    if (hasSchema) {
      out.putInt(schema);
    }
    KeyLock.put(locks, out);
    return out.array();
  }

  private byte state() {
    if (isRetired()) {
      return isDropped() ? HeaderLayout.DROPPED : HeaderLayout.RETIRED;
    }
    return closing == null ? HeaderLayout.OPEN : HeaderLayout.state(closing.to());
  }

  /** The header with these bytes. */
  public static SubtreeHeader decode(byte[] bytes) {
    Invariant.holds(
        bytes.length >= HeaderLayout.KEYS_AT && bytes[0] == HeaderLayout.VERSION,
        "a header of version %s: %s bytes",
        HeaderLayout.VERSION,
        bytes.length);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    byte state = bytes[HeaderLayout.STATE_AT];
    byte @Nullable [] high = key(bytes, HeaderLayout.highAt(bytes), HeaderLayout.HIGH_LENGTH_AT);
    byte @Nullable [] at =
        key(bytes, HeaderLayout.closingAt(bytes), HeaderLayout.CLOSING_LENGTH_AT);
    boolean closes = state != HeaderLayout.OPEN && state < HeaderLayout.RETIRED;
    return new SubtreeHeader(
        in.getInt(HeaderLayout.INDEX_AT),
        in.getInt(HeaderLayout.ENTRIES_MAX_AT),
        Arrays.copyOfRange(bytes, HeaderLayout.KEYS_AT, HeaderLayout.highAt(bytes)),
        high,
        in.getLong(HeaderLayout.LEFT_AT),
        in.getLong(HeaderLayout.RIGHT_AT),
        in.getLong(HeaderLayout.CAME_FROM_AT),
        closes
            ? new Closing(Closing.To.of(state), at, (int) in.getLong(HeaderLayout.WORD_AT))
            : null,
        closes ? SubtreeHeader.NONE : in.getLong(HeaderLayout.WORD_AT),
        HeaderLayout.schema(bytes),
        KeyLock.read(in.position(HeaderLayout.locksAt(bytes))));
  }

  private static byte @Nullable [] key(byte[] bytes, int from, int lengthAt) {
    int length = HeaderLayout.lengthAt(bytes, lengthAt);
    return length == HeaderLayout.NO_KEY ? null : Arrays.copyOfRange(bytes, from, from + length);
  }

  private static void putLength(ByteBuffer out, byte @Nullable [] key) {
    out.putShort((short) (key == null ? HeaderLayout.NO_KEY : key.length));
  }

  private static int lengthOf(byte @Nullable [] key) {
    return key == null ? 0 : key.length;
  }

  /** For people. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "index %d [%s, %s) left=%d right=%d from=%d%s%s%s%s",
        index,
        Keys.text(low),
        high == null ? "end" : Keys.text(high),
        left,
        right,
        cameFrom,
        closing == null ? "" : " closing " + closingText(closing),
        isDropped() ? " dropped" : isRetired() ? " went to " + wentTo : "",
        schema == 0 ? "" : " schema " + schema,
        locks.isEmpty() ? "" : " held " + locks);
  }

  private static String closingText(Closing part) {
    byte[] at = part.at();
    return part.to() + " at " + (at == null ? "end" : Keys.text(at));
  }
}
