package io.canopygrid;

import io.canopygrid.codec.KeyRange;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keys from a lower to an upper bound, or with a common beginning, in the order of the index. A
 * range whose lower bound is above its upper bound has no keys; that is no error. Immutable, and
 * thread-safe if the keys are.
 *
 * @param <K> keys
 */
public final class Range<K> {
  private static final Range<?> ALL = new Range<>(null, false, null, false, null);

  private final @Nullable K from;
  private final boolean fromInclusive;
  private final @Nullable K to;
  private final boolean toInclusive;
  private final @Nullable K prefix;

  private Range(
      @Nullable K from,
      boolean fromInclusive,
      @Nullable K to,
      boolean toInclusive,
      @Nullable K prefix) {
    this.from = from;
    this.fromInclusive = fromInclusive;
    this.to = to;
    this.toInclusive = toInclusive;
    this.prefix = prefix;
  }

  /** Every key. */
  @SuppressWarnings("unchecked") // it holds no K
  public static <K> Range<K> all() {
    return (Range<K>) ALL;
  }

  /** The range from one key to another, both included. */
  public static <K> Range<K> closed(K from, K to) {
    return between(from, true, to, true);
  }

  /** Between two keys, neither included. */
  public static <K> Range<K> open(K from, K to) {
    return between(from, false, to, false);
  }

  /** The range from one key, included, to another, not included. */
  public static <K> Range<K> closedOpen(K from, K to) {
    return between(from, true, to, false);
  }

  /** Between two keys, each included or not, as in {@link java.util.NavigableMap#subMap}. */
  public static <K> Range<K> between(K from, boolean fromInclusive, K to, boolean toInclusive) {
    return new Range<>(bound(from), fromInclusive, bound(to), toInclusive, null);
  }

  /** A key and everything above it. */
  public static <K> Range<K> atLeast(K from) {
    return new Range<>(bound(from), true, null, false, null);
  }

  /** The range of all keys above a key. */
  public static <K> Range<K> greaterThan(K from) {
    return new Range<>(bound(from), false, null, false, null);
  }

  /** A key and everything below it. */
  public static <K> Range<K> atMost(K to) {
    return new Range<>(null, false, bound(to), true, null);
  }

  /** The range of all keys below a key. */
  public static <K> Range<K> lessThan(K to) {
    return new Range<>(null, false, bound(to), false, null);
  }

  /**
   * Every key that begins with this one: strings with these first characters, byte arrays with
   * these first bytes, tuples with these first components. The key codec must know prefixes ({@link
   * Codec#prefix}).
   */
  public static <K> Range<K> prefix(K prefix) {
    return new Range<>(
        null, false, null, false, Arguments.notNull("the prefix of a range", prefix));
  }

  private static <K> K bound(@Nullable K key) {
    return Arguments.notNull("a bound of a range", key);
  }

  /**
   * The encoded keys of this range, for implementations of views.
   *
   * @param key encodes a bound
   * @param common encodes a prefix
   */
  public KeyRange encode(Function<K, byte[]> key, Function<K, byte[]> common) {
    if (prefix != null) {
      return KeyRange.startingWith(common.apply(prefix));
    }
    byte[] first = from == null ? new byte[0] : key.apply(from);
    if (from != null && !fromInclusive) {
      first = KeyRange.successor(first);
    }
    if (to == null) {
      return KeyRange.of(first, null);
    }
    byte[] last = key.apply(to);
    return KeyRange.of(first, toInclusive ? KeyRange.successor(last) : last);
  }

  /**
   * The encoded keys of groups: of those that begin with a component in this range.
   *
   * @param group all keys of one component
   * @param common all keys of the components that begin with a prefix
   */
  public KeyRange encodeGroups(Function<K, KeyRange> group, Function<K, KeyRange> common) {
    if (prefix != null) {
      return common.apply(prefix);
    }
    byte[] first = new byte[0];
    if (from != null) {
      KeyRange of = group.apply(from);
      byte[] end = of.to();
      if (!fromInclusive && end == null) {
        return KeyRange.EMPTY;
      }
      first = fromInclusive || end == null ? of.from() : end;
    }
    if (to == null) {
      return KeyRange.of(first, null);
    }
    KeyRange of = group.apply(to);
    return KeyRange.of(first, toInclusive ? of.to() : of.from());
  }

  /** For people: {@code [1, 5)}, an open end left out; {@code ab*} for a prefix. */
  @Override
  public String toString() {
    if (prefix != null) {
      return prefix + "*";
    }
    return (fromInclusive ? "[" : "(")
        + (from == null ? "" : from)
        + ", "
        + (to == null ? "" : to)
        + (toInclusive ? "]" : ")");
  }
}
