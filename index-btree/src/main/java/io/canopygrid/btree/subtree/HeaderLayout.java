package io.canopygrid.btree.subtree;

/**
 * The layout of a header's bytes: version, state, index, entriesMax, left, right, cameFrom, one
 * word that is the shard wanted or the kcl gone to, then the lengths of the three keys and their
 * bytes, and at last the schema number and the locks of prepared transactions. The number is left
 * out where it is 0 and there is no lock. {@link SubtreeFences} compares keys in place.
 */
final class HeaderLayout {
  static final byte VERSION = 2;

  /**
   * The place of the state: {@link #OPEN}, the code of a {@link Closing.To}, {@link #RETIRED},
   * {@link #DROPPED}.
   */
  static final int STATE_AT = 1;

  static final int INDEX_AT = 2;
  static final int ENTRIES_MAX_AT = 6;
  static final int LEFT_AT = 10;
  static final int RIGHT_AT = 18;
  static final int CAME_FROM_AT = 26;
  static final int WORD_AT = 34;
  static final int LOW_LENGTH_AT = 42;
  static final int HIGH_LENGTH_AT = 44;
  static final int CLOSING_LENGTH_AT = 46;
  static final int KEYS_AT = 48;

  static final byte OPEN = 0;
  static final byte RETIRED = 9;

  /** Retired with its index. Like {@link #RETIRED} it is above all states that cover something. */
  static final byte DROPPED = 10;

  /** The length of a key that is null. */
  static final int NO_KEY = 0xFFFF;

  private HeaderLayout() {}

  /** The state of a subtree of which a part is closing. */
  static byte state(Closing.To to) {
    return to.code();
  }

  static int highAt(byte[] header) {
    return KEYS_AT + lengthAt(header, LOW_LENGTH_AT);
  }

  static int closingAt(byte[] header) {
    int high = lengthAt(header, HIGH_LENGTH_AT);
    return highAt(header) + (high == NO_KEY ? 0 : high);
  }

  static int schema(byte[] header) {
    int at = schemaAt(header);
    return at == header.length ? 0 : lengthAt(header, at) << 16 | lengthAt(header, at + 2);
  }

  private static int schemaAt(byte[] header) {
    int length = lengthAt(header, CLOSING_LENGTH_AT);
    return closingAt(header) + (length == NO_KEY ? 0 : length);
  }

  /** Where the locks begin; the end of the header where there are none. */
  static int locksAt(byte[] header) {
    return Math.min(header.length, schemaAt(header) + Integer.BYTES);
  }

  static int lengthAt(byte[] header, int at) {
    return ((header[at] & 0xFF) << 8) | (header[at + 1] & 0xFF);
  }
}
