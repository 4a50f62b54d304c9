package io.canopygrid.btree.subtree;

import io.canopygrid.gmu.CompositeKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The place of a user's key within its subtree: ku is one byte, 1, and the key's bytes. So the
 * empty key is not the header, which has the empty ku, and the order of ku is that of the keys.
 */
public final class EntryKeys {
  /** The first byte of the ku of every entry. */
  static final byte ENTRY = 1;

  /**
   * A ku below those of all entries, and of none. A scan from here on reads a subtree that was
   * dropped with its index, so that it can be emptied; any other read of that subtree is refused.
   */
  private static final byte[] BELOW_ALL = {0};

  /** The first byte of the ku of a {@link #schema} key, which is above those of all entries. */
  private static final byte SCHEMA = 2;

  private static final int SCHEMA_BYTES = 1 + Integer.BYTES;

  /** The number of bytes of a composite key before the user's key. */
  private static final int PREFIX_BYTES = CompositeKey.KCL_BYTES + 1;

  private EntryKeys() {}

  /** The composite key of a user's key in a subtree. */
  public static CompositeKey of(long kcl, byte[] userKey) {
    byte[] bytes = new byte[PREFIX_BYTES + userKey.length];
    ByteBuffer.wrap(bytes).putLong(kcl).put(ENTRY).put(userKey);
    return CompositeKey.ofBytes(bytes);
  }

  /** Whether it is the key of an entry, if its kcl is that of a subtree. */
  public static boolean isEntry(CompositeKey key) {
    byte[] bytes = key.bytes();
    return bytes.length >= PREFIX_BYTES && bytes[CompositeKey.KCL_BYTES] == ENTRY;
  }

  /**
   * A key of no entry that stands for the secondary indexes that a writer of rows knows, up to the
   * one of this number. A subtree covers it as long as its writers need not know another one, so a
   * commit that has "read" it is refused where they do.
   */
  public static CompositeKey schema(long kcl, int number) {
    return CompositeKey.ofBytes(
        ByteBuffer.allocate(CompositeKey.KCL_BYTES + SCHEMA_BYTES)
            .putLong(kcl)
            .put(SCHEMA)
            .putInt(number)
            .array());
  }

  /** Whether it is a {@link #schema} key. */
  public static boolean isSchema(CompositeKey key) {
    byte[] bytes = key.bytes();
    return bytes.length == CompositeKey.KCL_BYTES + SCHEMA_BYTES
        && bytes[CompositeKey.KCL_BYTES] == SCHEMA;
  }

  /** The number in a {@link #schema} key. */
  public static int schemaOf(CompositeKey key) {
    return ByteBuffer.wrap(key.bytes()).getInt(PREFIX_BYTES);
  }

  static boolean isSchema(byte[] ku) {
    return ku.length == SCHEMA_BYTES && ku[0] == SCHEMA;
  }

  static int schemaOf(byte[] ku) {
    return ByteBuffer.wrap(ku).getInt(1);
  }

  /** The ku below those of all entries, from which on a dropped subtree is read. */
  public static byte[] belowAll() {
    return BELOW_ALL.clone();
  }

  static boolean isBelowAll(byte[] ku) {
    return Arrays.equals(ku, BELOW_ALL);
  }

  /** The ku of a user's key. */
  public static byte[] ku(byte[] userKey) {
    byte[] ku = new byte[1 + userKey.length];
    ku[0] = ENTRY;
    System.arraycopy(userKey, 0, ku, 1, userKey.length);
    return ku;
  }

  /** The ku of the end of a range; no end stays none. */
  public static byte @Nullable [] endKu(byte @Nullable [] userKey) {
    return userKey == null ? null : ku(userKey);
  }

  /** Compares the user's key of an entry's ku with another one. */
  public static int compare(byte[] ku, byte[] userKey) {
    return Arrays.compareUnsigned(ku, 1, ku.length, userKey, 0, userKey.length);
  }

  /** The user's key of an entry's ku. */
  public static byte[] userKey(byte[] ku) {
    return Arrays.copyOfRange(ku, 1, ku.length);
  }

  /** The user's key of an entry's composite key. */
  public static byte[] userKey(CompositeKey key) {
    byte[] bytes = key.bytes();
    return Arrays.copyOfRange(bytes, PREFIX_BYTES, bytes.length);
  }
}
