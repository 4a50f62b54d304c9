package io.canopygrid.map;

import io.canopygrid.Range;
import org.jspecify.annotations.Nullable;

/**
 * The keys that a map may have, in ascending order.
 *
 * @param order of the index
 * @param from the least key; null: there is no least one
 * @param to the greatest key; null: there is no greatest one
 */
record Bounds<K>(
    KeyOrder<K> order,
    @Nullable K from,
    boolean fromInclusive,
    @Nullable K to,
    boolean toInclusive) {
  static <K> Bounds<K> all(KeyOrder<K> order) {
    return new Bounds<>(order, null, false, null, false);
  }

  boolean contains(K key) {
    return !isTooLow(key, fromInclusive) && !isTooHigh(key, toInclusive);
  }

  private boolean isTooLow(K key, boolean inclusive) {
    if (from == null) {
      return false;
    }
    int sign = order.compare(key, from);
    return sign < 0 || (sign == 0 && !inclusive);
  }

  private boolean isTooHigh(K key, boolean inclusive) {
    if (to == null) {
      return false;
    }
    int sign = order.compare(key, to);
    return sign > 0 || (sign == 0 && !inclusive);
  }

  /** The part of these bounds from a key on; all of them if the key is below. */
  Bounds<K> above(K key, boolean inclusive) {
    return isTooLow(key, fromInclusive)
        ? this
        : new Bounds<>(order, key, inclusive, to, toInclusive);
  }

  /** The part of these bounds up to a key; all of them if the key is above. */
  Bounds<K> below(K key, boolean inclusive) {
    return isTooHigh(key, toInclusive)
        ? this
        : new Bounds<>(order, from, fromInclusive, key, inclusive);
  }

  /**
   * The bounds of a part, as a caller wants them.
   *
   * @param low the least key; null: as of these bounds
   * @param high the greatest key; null: as of these bounds
   * @throws IllegalArgumentException if they are not within these, or the first key is above the
   *     last one
   */
  Bounds<K> part(@Nullable K low, boolean lowInclusive, @Nullable K high, boolean highInclusive) {
    if (low != null && high != null && order.compare(low, high) > 0) {
      throw new IllegalArgumentException("the first key is above the last one");
    }
    Bounds<K> upper = low == null ? this : fromBound(low, lowInclusive);
    return high == null ? upper : upper.toBound(high, highInclusive, this);
  }

  private Bounds<K> fromBound(K key, boolean inclusive) {
    checkBound(key, inclusive);
    return new Bounds<>(order, key, inclusive, to, toInclusive);
  }

  private Bounds<K> toBound(K key, boolean inclusive, Bounds<K> within) {
    within.checkBound(key, inclusive);
    return new Bounds<>(order, from, fromInclusive, key, inclusive);
  }

  /** A bound that is not a key of its part may be a bound of the whole that is none either. */
  private void checkBound(K key, boolean inclusive) {
    if (isTooLow(key, fromInclusive || !inclusive) || isTooHigh(key, toInclusive || !inclusive)) {
      throw new IllegalArgumentException("the bound is out of the map's range");
    }
  }

  /** The same for the API. */
  Range<K> range() {
    if (from == null) {
      return to == null ? Range.all() : toInclusive ? Range.atMost(to) : Range.lessThan(to);
    }
    if (to == null) {
      return fromInclusive ? Range.atLeast(from) : Range.greaterThan(from);
    }
    return Range.between(from, fromInclusive, to, toInclusive);
  }
}
