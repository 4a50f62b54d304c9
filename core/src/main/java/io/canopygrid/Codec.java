package io.canopygrid;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A way to turn values of a type into bytes and back. An {@linkplain #ordered ordered} codec keeps
 * the natural order of the type as the order of unsigned bytes, and so can encode the keys of an
 * index.
 *
 * <p>The codecs made here are immutable and thread-safe. These codecs report values that they
 * cannot encode, and bytes that they cannot decode, as {@link ErrorCode#CODEC_FAILURE}. Codecs of
 * applications should do the same; whatever else they throw is made such an error.
 *
 * @param <T> the type
 */
public interface Codec<T> extends Encoding<T> {
  /** {@link #fixedLength()} of a codec whose encodings have different lengths. */
  int VARIABLE_LENGTH = Encoding.VARIABLE_LENGTH;

  /**
   * Names the encoding, stored with each index and compared when it is opened: two codecs with one
   * id must understand each other's bytes. 1 to {@value Limits#CODEC_ID_MAX} characters.
   */
  @Override
  String id();

  /** Whether {@code encode(a)} sorts before {@code encode(b)} exactly if a sorts before b. */
  @Override
  boolean ordered();

  /**
   * Whether the values are {@link Comparable} and {@code compareTo} orders them as their encodings
   * are ordered. Maps of the JDK then need no comparator ({@link ReadView#asNavigableMap}). Always
   * false is right too.
   */
  @Override
  default boolean naturallyOrdered() {
    return Encoding.super.naturallyOrdered();
  }

  /** The number of bytes of every encoding, or {@link #VARIABLE_LENGTH}. */
  @Override
  default int fixedLength() {
    return Encoding.super.fixedLength();
  }

  /**
   * The bytes of a value, in an array that is the caller's own.
   *
   * @throws CanopyException {@link ErrorCode#CODEC_FAILURE} if the value has no encoding
   */
  @Override
  byte[] encode(T value);

  /**
   * The value of these bytes, which are not kept.
   *
   * @throws CanopyException {@link ErrorCode#CODEC_FAILURE} if they are not those of a value
   */
  @Override
  T decode(byte[] bytes);

  /**
   * The bytes with which exactly those encodings begin whose value begins with this one; see {@link
   * Range#prefix}.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} if the type's values do not begin
   *     with others, as numbers do not
   */
  @Override
  default byte[] prefix(T prefix) {
    return Encoding.super.prefix(prefix);
  }

  /** Whole numbers of 32 bits, in 4 bytes. */
  static Codec<Integer> int32() {
    interface Constant {
      Codec<Integer> CODEC = of(ScalarEncodings.INT32);
    }
    return Constant.CODEC;
  }

  /** Whole numbers of 64 bits, in 8 bytes. */
  static Codec<Long> int64() {
    interface Constant {
      Codec<Long> CODEC = of(ScalarEncodings.INT64);
    }
    return Constant.CODEC;
  }

  /** False, then true, in 1 byte. */
  static Codec<Boolean> bool() {
    interface Constant {
      Codec<Boolean> CODEC = of(ScalarEncodings.BOOL);
    }
    return Constant.CODEC;
  }

  /**
   * Text as UTF-8, in the order of code points. {@link String#compareTo} compares UTF-16 units and
   * so puts characters above U+FFFF before those from U+E000 to U+FFFF; here they come after. Text
   * with an unpaired surrogate has no UTF-8 and is refused. Knows prefixes.
   */
  static Codec<String> string() {
    interface Constant {
      Codec<String> CODEC = of(ScalarEncodings.STRING);
    }
    return Constant.CODEC;
  }

  /**
   * Bytes as they are, in the order of {@link java.util.Arrays#compareUnsigned}. Knows prefixes.
   */
  static Codec<byte[]> bytes() {
    interface Constant {
      Codec<byte[]> CODEC = of(ScalarEncodings.BYTES);
    }
    return Constant.CODEC;
  }

  /**
   * UUIDs in 16 bytes, in the order of their text, most significant bits first and unsigned. {@link
   * UUID#compareTo} compares signed halves and so differs where a half has its highest bit set.
   */
  static Codec<UUID> uuid() {
    interface Constant {
      Codec<UUID> CODEC = of(ScalarEncodings.UUID);
    }
    return Constant.CODEC;
  }

  /** The whole range of {@link Instant} with nanoseconds, in 12 bytes. */
  static Codec<Instant> instant() {
    interface Constant {
      Codec<Instant> CODEC = of(ScalarEncodings.INSTANT);
    }
    return Constant.CODEC;
  }

  /**
   * Decimal numbers in the order of {@link BigDecimal#compareTo}. Like that order, and unlike
   * {@link BigDecimal#equals}, it does not tell 1.0 from 1.00: they are one key, which reads back
   * as 1, without trailing zeros. At most {@value io.canopygrid.codec.Decimals#DIGITS_MAX} digits
   * without leading and trailing zeros.
   */
  static Codec<BigDecimal> decimal() {
    interface Constant {
      Codec<BigDecimal> CODEC = of(ScalarEncodings.DECIMAL);
    }
    return Constant.CODEC;
  }

  /**
   * Tuples of these components, first compared by the first one, then by the second, and so on.
   * Ordered if all components are. Knows prefixes: a tuple of the first few components.
   *
   * @param components 2 to {@value Tuple#SIZE_MAX} codecs, which can be of tuples too
   */
  static Codec<Tuple> tuple(Codec<?>... components) {
    for (Codec<?> component : components) {
      Arguments.notNull("a component's codec", component);
    }
    final class TupleCodec extends TupleEncoding implements Codec<Tuple> {
      TupleCodec(List<Encoding<?>> components) {
        super(components);
      }
    }
    return new TupleCodec(List.of(components));
  }

  /**
   * Floating-point numbers in 8 bytes, in the order of {@link Double#compare}: -0.0 before 0.0, and
   * what is not a number, of which there is one, after all others.
   */
  static Codec<Double> float64() {
    interface Constant {
      Codec<Double> CODEC = of(ScalarEncodings.FLOAT64);
    }
    return Constant.CODEC;
  }

  /** The whole range of {@link LocalDate}, in 5 bytes. */
  static Codec<LocalDate> date() {
    interface Constant {
      Codec<LocalDate> CODEC = of(ScalarEncodings.DATE);
    }
    return Constant.CODEC;
  }

  /** The whole range of {@link LocalDateTime} with nanoseconds, in 11 bytes. */
  static Codec<LocalDateTime> dateTime() {
    interface Constant {
      Codec<LocalDateTime> CODEC = of(ScalarEncodings.DATE_TIME);
    }
    return Constant.CODEC;
  }

  /**
   * The whole range of {@link OffsetDateTime} with nanoseconds, in 16 bytes, in the order of its
   * {@code compareTo}: by the instant, then by the offset.
   */
  static Codec<OffsetDateTime> offsetDateTime() {
    interface Constant {
      Codec<OffsetDateTime> CODEC = of(ScalarEncodings.OFFSET_DATE_TIME);
    }
    return Constant.CODEC;
  }

  /**
   * The constants of an enum, in the order in which its class has them. Constants may be added
   * behind the last one. A constant that is renamed or gets another place is a {@link
   * ErrorCode#CODEC_FAILURE} where it is read, and is not found by a key. The id contains the
   * class's name.
   */
  static <E extends Enum<E>> Codec<E> enumeration(Class<E> type) {
    final class EnumCodec extends EnumEncoding<E> implements Codec<E> {
      EnumCodec(Class<E> type) {
        super(type);
      }
    }
    return new EnumCodec(type);
  }

  /**
   * Values that may be absent: nothing comes first, then the values in the order of their codec.
   * Ordered, and knows prefixes, if that codec is and does. Components of tuples are never null, so
   * a part of a key that may be absent is one of these.
   */
  static <T> Codec<Optional<T>> optional(Codec<T> values) {
    Arguments.notNull("the values' codec", values);
    final class OptionalCodec extends OptionalEncoding<T> implements Codec<Optional<T>> {
      OptionalCodec(Encoding<T> values) {
        super(values);
      }
    }
    return new OptionalCodec(values);
  }

  /**
   * The values of another codec in the opposite order, as for a component of a tuple of which the
   * newest or greatest is to come first. Knows prefixes if that codec does.
   *
   * @param ascending an ordered codec
   */
  static <T> Codec<T> descending(Codec<T> ascending) {
    Arguments.notNull("the codec", ascending);
    final class DescendingCodec extends DescendingEncoding<T> implements Codec<T> {
      DescendingCodec(Encoding<T> ascending) {
        super(ascending);
      }
    }
    return new DescendingCodec(ascending);
  }

  /**
   * Objects as JSON in UTF-8, through Jackson: for values, since it keeps no order. The class needs
   * what Jackson needs of one; records and beans have it. The id contains the class's name, so a
   * class that moves to another package is another codec.
   */
  static <T> Codec<T> json(Class<T> type) {
    final class JsonCodec extends JsonEncoding<T> implements Codec<T> {
      JsonCodec(Class<T> type) {
        super(type);
      }
    }
    return new JsonCodec(type);
  }

  private static <T> Codec<T> of(FunctionEncoding<T> encoding) {
    final class ScalarCodec extends FunctionEncoding<T> implements Codec<T> {
      ScalarCodec(FunctionEncoding<T> encoding) {
        super(encoding);
      }
    }
    return new ScalarCodec(encoding);
  }
}
