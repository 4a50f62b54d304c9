package io.canopygrid.btree.access.scan;

import io.canopygrid.btree.subtree.Keys;
import io.canopygrid.codec.KeyRange;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The writes that a transaction has staged in one index: here and nowhere else until it commits.
 * Keys and values are kept and must not change. Confined to the transaction's thread.
 */
public final class WriteSet {
  /** Stands for the value of a key that the transaction removes. */
  private static final byte[] REMOVED = new byte[0];

  /** No writes; stays empty. */
  static final WriteSet NONE = new WriteSet();

  /** New values by key; null as long as there is none, as in most transactions. */
  private @Nullable TreeMap<byte[], byte[]> staged;

  /** Stages a new value of a key. */
  void put(byte[] key, byte[] value) {
    if (staged == null) {
      staged = new TreeMap<>(Keys.ORDER);
    }
    staged.put(key, value);
  }

  /** Stages the removal of a key. */
  void remove(byte[] key) {
    put(key, REMOVED);
  }

  /** Whether nothing is staged. */
  public boolean isEmpty() {
    return staged == null;
  }

  /** The staged write of a key, to be given to {@link #valueOf}; null: none. */
  public byte @Nullable [] get(byte[] key) {
    return staged == null ? null : staged.get(key);
  }

  /** The value of a staged write, null where it removes the key. */
  @SuppressWarnings("ReferenceEquality") // an empty value is a value
  public static byte @Nullable [] valueOf(byte[] write) {
    return write == REMOVED ? null : write;
  }

  /** Whether a key of a range is written. */
  public boolean hasIn(KeyRange range) {
    byte[] first = staged == null || range.isEmpty() ? null : staged.ceilingKey(range.from());
    return first != null && range.contains(first);
  }

  /** The first write above a key, or from it on. */
  Map.@Nullable Entry<byte[], byte[]> from(byte[] key, boolean inclusive) {
    if (staged == null) {
      return null;
    }
    return inclusive ? staged.ceilingEntry(key) : staged.higherEntry(key);
  }

  /** The last write below a key; null: the last one. */
  Map.@Nullable Entry<byte[], byte[]> below(byte @Nullable [] key) {
    if (staged == null) {
      return null;
    }
    return key == null ? staged.lastEntry() : staged.lowerEntry(key);
  }

  /** All writes by key, each to be given to {@link #valueOf}. */
  Set<Map.Entry<byte[], byte[]>> all() {
    return staged == null ? Set.of() : staged.entrySet();
  }
}
