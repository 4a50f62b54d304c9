package io.canopygrid;

import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Calls of the functions that every node has, each a read and a write of one entry for one request:
 * {@code db.execute(Functions.add(counters, 1L, 5))}.
 */
public final class Functions {
  /** The beginning of the names of these functions; nobody else can register such a name. */
  public static final String PREFIX = "canopy.";

  private static final String ADD = PREFIX + "add";
  private static final String APPEND = PREFIX + "append";
  private static final String COMPARE_AND_SET = PREFIX + "compare-and-set";

  private Functions() {}

  /**
   * Adds to a number; a missing number counts as 0. The result is the sum, by {@link Codec#int64}.
   * A sum that does not fit is {@link ErrorCode#INVALID_ARGUMENT}.
   */
  public static <K> FunctionCall add(Index<K, Long> index, K key, long summand) {
    return FunctionCall.of(ADD, Codec.int64(), summand).at(index, key);
  }

  /**
   * Appends to a text; a missing text counts as empty. The result is the length in bytes, by {@link
   * Codec#int64}.
   */
  public static <K> FunctionCall append(Index<K, String> index, K key, String text) {
    return FunctionCall.of(APPEND, Codec.string(), text).at(index, key);
  }

  /**
   * Sets a value if it is the one that is expected. The result is whether it was, by {@link
   * Codec#bool}.
   *
   * @param expected by its bytes; null: that there is none
   * @param next null: the entry is removed
   */
  public static <K, V> FunctionCall compareAndSet(
      Index<K, V> index, K key, @Nullable V expected, @Nullable V next) {
    ByteWriter out = new ByteWriter(64);
    Arguments.notNull("the index", index);
    for (V value : Arrays.asList(expected, next)) {
      out.writeByte(value == null ? 0 : 1);
      if (value != null) {
        out.writeBytes(index.valueCodec().encode(value));
      }
    }
    return FunctionCall.of(COMPARE_AND_SET, out.toBytes()).at(index, key);
  }

  /** The functions themselves, for implementations of {@link Canopy}. */
  public static Map<String, TransactionFunction> all() {
    return Map.of(
        ADD,
        TransactionFunction.of(Codec.int64(), Codec.int64(), Functions::add),
        APPEND,
        Functions::append,
        COMPARE_AND_SET,
        Functions::compareAndSet);
  }

  private static long add(FunctionTransaction tx, long summand) {
    FunctionTransaction.Place place = place(tx, ADD, Codec.int64().id());
    byte[] old = place.get();
    long before = old == null ? 0 : Codec.int64().decode(old);
    try {
      long sum = Math.addExact(before, summand);
      place.put(Codec.int64().encode(sum));
      return sum;
    } catch (ArithmeticException e) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, before + " + " + summand + " does not fit 64 bits", e);
    }
  }

  private static byte[] append(FunctionTransaction tx, byte[] text) {
    FunctionTransaction.Place place = place(tx, APPEND, Codec.string().id());
    byte[] old = place.get();
    int length = old == null ? 0 : old.length;
    byte[] longer = old == null ? new byte[text.length] : Arrays.copyOf(old, length + text.length);
    System.arraycopy(text, 0, longer, length, text.length);
    place.put(longer);
    return Codec.int64().encode((long) longer.length);
  }

  private static byte[] compareAndSet(FunctionTransaction tx, byte[] arguments) {
    FunctionTransaction.Place place = place(tx, COMPARE_AND_SET, null);
    byte[] expected;
    byte[] next;
    try {
      ByteReader in = new ByteReader(arguments);
      expected = in.readByte() == 0 ? null : in.readBytes();
      next = in.readByte() == 0 ? null : in.readBytes();
      in.end();
    } catch (MalformedBytesException e) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "not the arguments of " + COMPARE_AND_SET, e);
    }
    boolean same = Arrays.equals(place.get(), expected);
    if (same && next != null) {
      place.put(next);
    } else if (same && expected != null) {
      place.remove();
    }
    return Codec.bool().encode(same);
  }

  private static FunctionTransaction.Place place(
      FunctionTransaction tx, String function, @Nullable String valueCodec) {
    FunctionTransaction.Place place = tx.place();
    if (place == null) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "function '" + function + "' needs a place");
    }
    if (valueCodec != null && !place.valueCodec().equals(valueCodec)) {
      throw new CanopyException(
          ErrorCode.CODEC_MISMATCH,
          String.format(
              Locale.ROOT,
              "function '%s' needs values %s, index '%s' has %s",
              function,
              valueCodec,
              place.index(),
              place.valueCodec()));
    }
    return place;
  }
}
