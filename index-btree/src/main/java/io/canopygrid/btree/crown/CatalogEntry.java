package io.canopygrid.btree.crown;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.ReservedKcl;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The catalog's entry of one index, fixed when the index is created. Stored in kcl {@link
 * ReservedKcl#CATALOG} under the byte 1 and the name.
 *
 * @param number the index's number, at least 1, never used again
 * @param firstSubtree the subtree that begins at the empty key
 * @param keyCodec identity of the codec of keys
 * @param valueCodec identity of the codec of values
 * @param subtreeEntriesMax entries above which a subtree is split
 */
public record CatalogEntry(
    int number, long firstSubtree, String keyCodec, String valueCodec, int subtreeEntriesMax) {
  /**
   * Where the number given to the newest index is kept ({@link IndexNumbers}), before all names.
   */
  public static final CompositeKey NUMBERS = ReservedKcl.CATALOG.key(new byte[] {0});

  /** The first byte of the ku of every name. */
  private static final byte NAME = 1;

  private static final byte VERSION = 1;
  private static final int FIXED_BYTES = 1 + 2 * Integer.BYTES + Long.BYTES;

  /** The key of an index in the catalog. */
  public static CompositeKey key(String name) {
    byte[] text = name.getBytes(StandardCharsets.US_ASCII);
    byte[] ku = new byte[1 + text.length];
    ku[0] = NAME;
    System.arraycopy(text, 0, ku, 1, text.length);
    return ReservedKcl.CATALOG.key(ku);
  }

  /** A ku at or below that of every name, and above that of {@link #NUMBERS}. */
  public static byte[] firstName() {
    return new byte[] {NAME};
  }

  /** The name of the index with this ku. */
  public static String name(byte[] ku) {
    return new String(ku, 1, ku.length - 1, StandardCharsets.US_ASCII);
  }

  /** The entry as it is stored. */
  public byte[] encode() {
    byte[] keys = keyCodec.getBytes(StandardCharsets.UTF_8);
    byte[] values = valueCodec.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(FIXED_BYTES + 2 * Short.BYTES + keys.length + values.length)
        .put(VERSION)
        .putInt(number)
        .putLong(firstSubtree)
        .putInt(subtreeEntriesMax)
        .putShort((short) keys.length)
        .put(keys)
        .putShort((short) values.length)
        .put(values)
        .array();
  }

  /** The entry with these bytes. */
  public static CatalogEntry decode(byte[] bytes) {
    Invariant.holds(
        bytes.length > FIXED_BYTES && bytes[0] == VERSION,
        "a catalog entry of version %s: %s bytes",
        VERSION,
        bytes.length);
    ByteBuffer in = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
    int number = in.getInt();
    long firstSubtree = in.getLong();
    int subtreeEntriesMax = in.getInt();
    return new CatalogEntry(number, firstSubtree, text(in), text(in), subtreeEntriesMax);
  }

  /** The number in these bytes of an entry. */
  public static int numberOf(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getInt(1);
  }

  private static String text(ByteBuffer in) {
    byte[] bytes = new byte[in.getShort() & 0xFFFF];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
