package io.canopygrid.client.transaction;

import io.canopygrid.codec.KeyRange;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one transaction to one index, by key, so that reading them costs no request.
 * Confined to the transaction's thread.
 */
final class OwnWrites {
  /** Stands for the value of a key that the transaction removed. */
  private static final byte[] REMOVED = new byte[0];

  /** Null as long as there is none. */
  private @Nullable TreeMap<byte[], byte[]> byKey;

  void put(byte[] key, byte[] value) {
    if (byKey == null) {
      byKey = new TreeMap<>(Arrays::compareUnsigned);
    }
    byKey.put(key, value);
  }

  void remove(byte[] key) {
    put(key, REMOVED);
  }

  /** Makes removals of all writes of a range. */
  void removeRange(KeyRange range) {
    if (byKey != null) {
      within(byKey, range).replaceAll((key, value) -> REMOVED);
    }
  }

  /** The write to a key, for {@link #valueOf}; null where there is none. */
  byte @Nullable [] get(byte[] key) {
    return byKey == null ? null : byKey.get(key);
  }

  /** The next write of a range, in a direction. */
  Map.@Nullable Entry<byte[], byte[]> next(KeyRange range, boolean reverse) {
    if (byKey == null || range.isEmpty()) {
      return null;
    }
    NavigableMap<byte[], byte[]> some = within(byKey, range);
    return reverse ? some.lastEntry() : some.firstEntry();
  }

  private static NavigableMap<byte[], byte[]> within(
      NavigableMap<byte[], byte[]> all, KeyRange range) {
    byte[] to = range.to();
    return to == null ? all.tailMap(range.from(), true) : all.subMap(range.from(), true, to, false);
  }

  /** The value of a write, null where it removes the key. */
  @SuppressWarnings("ReferenceEquality") // an empty value is a value
  static byte @Nullable [] valueOf(byte[] write) {
    return write == REMOVED ? null : write;
  }
}
