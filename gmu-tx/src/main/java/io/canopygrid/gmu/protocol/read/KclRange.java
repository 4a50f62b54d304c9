package io.canopygrid.gmu.protocol.read;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.spi.Fences;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The part of a range of ku that a kcl covers, as stored keys.
 *
 * @param from inclusive
 * @param upper exclusive; null: the end of all keys
 */
record KclRange(byte[] from, byte @Nullable [] upper) {
  /**
   * The part up to the fence.
   *
   * @param to end of the range, exclusive; null: the end of the kcl
   * @param header the kcl's header, null where it needs none
   */
  static KclRange of(
      long kcl, byte[] from, byte @Nullable [] to, byte @Nullable [] header, Fences fences) {
    return new KclRange(CompositeKey.of(kcl, from).bytes(), upper(kcl, to, header, fences));
  }

  private static byte @Nullable [] upper(
      long kcl, byte @Nullable [] to, byte @Nullable [] header, Fences fences) {
    byte[] end = header == null ? null : fences.end(header);
    if (to != null && (end == null || Arrays.compareUnsigned(to, end) <= 0)) {
      end = to;
    }
    if (end != null) {
      return CompositeKey.of(kcl, end).bytes();
    }
    return kcl == -1L ? null : CompositeKey.header(kcl + 1).bytes();
  }

  boolean isBelowUpper(byte[] key) {
    return upper == null || Arrays.compareUnsigned(key, upper) < 0;
  }

  boolean isFromOn(byte[] key) {
    return Arrays.compareUnsigned(key, from) >= 0;
  }
}
