package io.canopygrid.btree.crown;

import io.canopygrid.btree.subtree.Keys;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.ReservedKcl;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;

/**
 * One entry of the crown: the keys of an index from {@code separator} to the next entry's are in
 * subtree {@code kcl}. Stored in kcl {@link ReservedKcl#CROWN} under the index's number and the
 * separator.
 *
 * @param index the index's number
 * @param separator the subtree's lowest key
 * @param kcl the subtree
 * @param cameFrom the subtree that had the keys before, as in {@link SubtreeHeader#cameFrom}: also
 *     known where the subtree's own header has not been applied yet
 */
public record CrownEntry(int index, byte[] separator, long kcl, long cameFrom) {
  /** The number of its kcl, where the keys are searched for. */
  static final long KCL = ReservedKcl.CROWN.kcl();

  /** The number of bytes of a composite key before the separator: kcl and the index's number. */
  static final int PREFIX_BYTES = CompositeKey.KCL_BYTES + Integer.BYTES;

  static final int VALUE_BYTES = 2 * Long.BYTES;

  /** Checks that it leads to a subtree. */
  public CrownEntry {
    Invariant.holds(SubtreeHeader.isSubtree(kcl), "the crown leads to subtrees: %s", kcl);
  }

  /** The entry's key in TOP. */
  public CompositeKey key() {
    return ReservedKcl.CROWN.key(ku(index, separator));
  }

  /** The entry's value in TOP. */
  public byte[] value() {
    return ByteBuffer.allocate(VALUE_BYTES).putLong(kcl).putLong(cameFrom).array();
  }

  /** The ku of the entry with this separator. */
  public static byte[] ku(int index, byte[] separator) {
    return ByteBuffer.allocate(Integer.BYTES + separator.length)
        .putInt(index)
        .put(separator)
        .array();
  }

  /** The separator of a ku. */
  public static byte[] separator(byte[] ku) {
    return Arrays.copyOfRange(ku, Integer.BYTES, ku.length);
  }

  /** The entry of a ku and its value. */
  public static CrownEntry decode(byte[] ku, byte[] value) {
    Invariant.holds(
        ku.length >= Integer.BYTES && value.length == VALUE_BYTES,
        "a crown entry of %s and %s bytes",
        ku.length,
        value.length);
    ByteBuffer in = ByteBuffer.wrap(value);
    return new CrownEntry(ByteBuffer.wrap(ku).getInt(), separator(ku), in.getLong(), in.getLong());
  }

  /** For people; the separator in hexadecimal. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "CrownEntry[index=%d, separator=%s, kcl=%d, cameFrom=%d]",
        index,
        Keys.text(separator),
        kcl,
        cameFrom);
  }
}
