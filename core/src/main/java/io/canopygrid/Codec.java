package io.canopygrid;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
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
    return of(ScalarEncodings.INT32);
  }

  /** Whole numbers of 64 bits, in 8 bytes. */
  static Codec<Long> int64() {
    return of(ScalarEncodings.INT64);
  }

  /** False, then true, in 1 byte. */
  static Codec<Boolean> bool() {
    return of(ScalarEncodings.BOOL);
  }

  /**
   * Text as UTF-8, in the order of code points. {@link String#compareTo} compares UTF-16 units and
   * so puts characters above U+FFFF before those from U+E000 to U+FFFF; here they come after. Text
   * with an unpaired surrogate has no UTF-8 and is refused. Knows prefixes.
   */
  static Codec<String> string() {
    return of(ScalarEncodings.STRING);
  }

  /**
   * Bytes as they are, in the order of {@link java.util.Arrays#compareUnsigned}. Knows prefixes.
   */
  static Codec<byte[]> bytes() {
    return of(ScalarEncodings.BYTES);
  }

  /**
   * UUIDs in 16 bytes, in the order of their text, most significant bits first and unsigned. {@link
   * UUID#compareTo} compares signed halves and so differs where a half has its highest bit set.
   */
  static Codec<UUID> uuid() {
    return of(ScalarEncodings.UUID);
  }

  /** The whole range of {@link Instant} with nanoseconds, in 12 bytes. */
  static Codec<Instant> instant() {
    return of(ScalarEncodings.INSTANT);
  }

  /**
   * Decimal numbers in the order of {@link BigDecimal#compareTo}. Like that order, and unlike
   * {@link BigDecimal#equals}, it does not tell 1.0 from 1.00: they are one key, which reads back
   * as 1, without trailing zeros. At most {@value io.canopygrid.codec.Decimals#DIGITS_MAX} digits
   * without leading and trailing zeros.
   */
  static Codec<BigDecimal> decimal() {
    return of(ScalarEncodings.DECIMAL);
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
    return of(new TupleEncoding(List.of(components)));
  }

  /**
   * Objects as JSON in UTF-8, through Jackson: for values, since it keeps no order. The class needs
   * what Jackson needs of one; records and beans have it. The id contains the class's name, so a
   * class that moves to another package is another codec.
   */
  static <T> Codec<T> json(Class<T> type) {
    return of(new JsonEncoding<>(type));
  }

  private static <T> Codec<T> of(Encoding<T> encoding) {
    record Encoded<T>(Encoding<T> encoding) implements Codec<T> {
      @Override
      public String id() {
        return encoding.id();
      }

      @Override
      public boolean ordered() {
        return encoding.ordered();
      }

      @Override
      public int fixedLength() {
        return encoding.fixedLength();
      }

      @Override
      public byte[] encode(T value) {
        return encoding.encode(value);
      }

      @Override
      public T decode(byte[] bytes) {
        return encoding.decode(bytes);
      }

      @Override
      public byte[] prefix(T prefix) {
        return encoding.prefix(prefix);
      }

      @Override
      public String toString() {
        return encoding.toString();
      }
    }
    return new Encoded<>(encoding);
  }
}
