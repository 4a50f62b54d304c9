package io.canopygrid.btree.subtree;

import io.canopygrid.gmu.Invariant;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A header's bytes: version, state, index, entriesMax, left, right, cameFrom, one word that is the
 * shard wanted or the kcl gone to, then the lengths of the three keys and their bytes. {@link
 * SubtreeFences} compares keys where they lie.
 */
final class HeaderBytes {
  private static final byte VERSION = 2;

  /** The state: nothing, the code of a {@link Closing.To}, {@link #RETIRED}. */
  static final int STATE_AT = 1;

  private static final int INDEX_AT = 2;
  private static final int ENTRIES_MAX_AT = 6;
  private static final int LEFT_AT = 10;
  private static final int RIGHT_AT = 18;
  private static final int CAME_FROM_AT = 26;
  private static final int WORD_AT = 34;
  static final int LOW_LENGTH_AT = 42;
  static final int HIGH_LENGTH_AT = 44;
  static final int CLOSING_LENGTH_AT = 46;
  static final int KEYS_AT = 48;

  static final byte OPEN = 0;
  static final byte RETIRED = 9;

  /** The length of a key that is null. */
  static final int NO_KEY = 0xFFFF;

  private HeaderBytes() {}

  /** The state of a subtree whose part goes there. */
  static byte state(Closing.To to) {
    return to.code();
  }

  static byte[] encode(SubtreeHeader header) {
    byte[] low = header.low();
    byte[] high = header.high();
    Closing closing = header.closing();
    byte[] at = closing == null ? null : closing.at();
    ByteBuffer out = ByteBuffer.allocate(KEYS_AT + low.length + lengthOf(high) + lengthOf(at));
    out.put(VERSION);
    out.put(header.isRetired() ? RETIRED : closing == null ? OPEN : state(closing.to()));
    out.putInt(header.index()).putInt(header.entriesMax());
    out.putLong(header.left()).putLong(header.right()).putLong(header.cameFrom());
    out.putLong(closing == null ? header.wentTo() : closing.shard());
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
    return out.array();
  }

  static SubtreeHeader decode(byte[] bytes) {
    Invariant.holds(
        bytes.length >= KEYS_AT && bytes[0] == VERSION,
        "a header of version %s: %s bytes",
        VERSION,
        bytes.length);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    byte state = bytes[STATE_AT];
    byte @Nullable [] high = key(bytes, highAt(bytes), HIGH_LENGTH_AT);
    byte @Nullable [] at = key(bytes, closingAt(bytes), CLOSING_LENGTH_AT);
    boolean closes = state != OPEN && state != RETIRED;
    return new SubtreeHeader(
        in.getInt(INDEX_AT),
        in.getInt(ENTRIES_MAX_AT),
        Arrays.copyOfRange(bytes, KEYS_AT, highAt(bytes)),
        high,
        in.getLong(LEFT_AT),
        in.getLong(RIGHT_AT),
        in.getLong(CAME_FROM_AT),
        closes ? new Closing(Closing.To.of(state), at, (int) in.getLong(WORD_AT)) : null,
        closes ? SubtreeHeader.NONE : in.getLong(WORD_AT));
  }

  static int highAt(byte[] header) {
    return KEYS_AT + lengthAt(header, LOW_LENGTH_AT);
  }

  static int closingAt(byte[] header) {
    int high = lengthAt(header, HIGH_LENGTH_AT);
    return highAt(header) + (high == NO_KEY ? 0 : high);
  }

  static int lengthAt(byte[] header, int at) {
    return ((header[at] & 0xFF) << 8) | (header[at + 1] & 0xFF);
  }

  private static byte @Nullable [] key(byte[] bytes, int from, int lengthAt) {
    int length = lengthAt(bytes, lengthAt);
    return length == NO_KEY ? null : Arrays.copyOfRange(bytes, from, from + length);
  }

  private static void putLength(ByteBuffer out, byte @Nullable [] key) {
    out.putShort((short) (key == null ? NO_KEY : key.length));
  }

  private static int lengthOf(byte @Nullable [] key) {
    return key == null ? 0 : key.length;
  }
}
