package io.canopygrid.codec;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A range of encoded keys, {@code [from, to)} in the order of unsigned bytes. Immutable and
 * thread-safe; arrays given and returned are the range's own and must not be changed.
 */
public final class KeyRange {
  private static final byte[] NO_BYTES = {};

  /** Every key. */
  public static final KeyRange ALL = new KeyRange(NO_BYTES, null);

  /** No key. */
  public static final KeyRange EMPTY = new KeyRange(NO_BYTES, NO_BYTES);

  private final byte[] from;
  private final byte @Nullable [] to;

  private KeyRange(byte[] from, byte @Nullable [] to) {
    this.from = from;
    this.to = to;
  }

  /**
   * The range from one key to another; {@link #EMPTY} if {@code to} is not above {@code from}.
   *
   * @param from first key, inclusive; no bytes: from the beginning
   * @param to end, exclusive; null: to the end
   */
  public static KeyRange of(byte[] from, byte @Nullable [] to) {
    if (to == null) {
      return from.length == 0 ? ALL : new KeyRange(from, null);
    }
    return Arrays.compareUnsigned(from, to) < 0 ? new KeyRange(from, to) : EMPTY;
  }

  /** All keys that begin with these bytes. */
  public static KeyRange startingWith(byte[] prefix) {
    int length = prefix.length;
    while (length > 0 && prefix[length - 1] == (byte) 0xFF) {
      length--;
    }
    if (length == 0) {
      return of(prefix, null);
    }
    byte[] end = Arrays.copyOf(prefix, length);
    end[length - 1]++;
    return of(prefix, end);
  }

  /** The least byte string above this one: itself and a zero byte. */
  public static byte[] successor(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  /** First key, inclusive; no bytes: from the beginning. */
  public byte[] from() {
    return from;
  }

  /** End, exclusive; null: to the end. */
  public byte @Nullable [] to() {
    return to;
  }

  /** Whether no key is in it. */
  public boolean isEmpty() {
    return to != null && to.length == 0;
  }

  /** Whether a key is in it. */
  public boolean contains(byte[] key) {
    return Arrays.compareUnsigned(from, key) <= 0
        && (to == null || Arrays.compareUnsigned(key, to) < 0);
  }

  /** The part of this range that is above a key. */
  public KeyRange above(byte[] key) {
    byte[] next = successor(key);
    return Arrays.compareUnsigned(next, from) <= 0 ? this : of(next, to);
  }

  /** The part of this range that is below a key. */
  public KeyRange below(byte[] key) {
    return to != null && Arrays.compareUnsigned(to, key) <= 0 ? this : of(from, key);
  }

  /** The keys that are in both. */
  public KeyRange intersect(KeyRange other) {
    byte[] start = Arrays.compareUnsigned(from, other.from) >= 0 ? from : other.from;
    if (to == null || other.to == null) {
      return of(start, to == null ? other.to : to);
    }
    return of(start, Arrays.compareUnsigned(to, other.to) <= 0 ? to : other.to);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof KeyRange r && Arrays.equals(from, r.from) && Arrays.equals(to, r.to);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(from) + Arrays.hashCode(to);
  }

  /** For people: {@code [61, 62)} in hexadecimal, an open end left out. */
  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return "[" + hex.formatHex(from) + ", " + (to == null ? "" : hex.formatHex(to)) + ")";
  }
}
