package io.canopygrid;

/**
 * The two directions of an encoding, as {@link Codec} promises them to applications. The encodings
 * of this package know this interface and not the codecs that are made of them.
 *
 * @param <T> the type
 */
interface Encoding<T> {
  /** The {@link #fixedLength()} of an encoding whose results have different lengths. */
  int VARIABLE_LENGTH = -1;

  /** The name that is stored with each index. */
  String id();

  /** Whether the order of the bytes is the order of the values. */
  boolean ordered();

  /** Whether that is the order of the values' {@code compareTo}. */
  default boolean naturallyOrdered() {
    return false;
  }

  /** The number of bytes of every result, or {@link #VARIABLE_LENGTH}. */
  default int fixedLength() {
    return VARIABLE_LENGTH;
  }

  /** The bytes of a value. */
  byte[] encode(T value);

  /** The value of some bytes. */
  T decode(byte[] bytes);

  /** The bytes with which the encodings of all values begin that begin with this one. */
  default byte[] prefix(T prefix) {
    throw Arguments.invalid("codec " + id() + " knows no prefixes");
  }
}
