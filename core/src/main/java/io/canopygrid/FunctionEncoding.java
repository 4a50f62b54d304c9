package io.canopygrid;

import io.canopygrid.wire.MalformedBytesException;
import java.util.function.Function;

/**
 * An ordered encoding made of two pure functions of {@link io.canopygrid.codec}. A value that one
 * of them refuses becomes a coded error here.
 */
class FunctionEncoding<T> implements Encoding<T> {
  private final String id;
  private final int fixedLength;
  private final boolean prefixes;
  private final boolean natural;
  private final Function<T, byte[]> encoder;
  private final Function<byte[], T> decoder;

  /**
   * An encoding made of two functions.
   *
   * @param prefixes whether the encoding of a value's beginning is the beginning of its encoding
   * @param encoder throws {@link IllegalArgumentException} for a value without encoding
   * @param decoder throws {@link MalformedBytesException} for bytes that it did not make
   */
  FunctionEncoding(
      String id,
      int fixedLength,
      boolean prefixes,
      Function<T, byte[]> encoder,
      Function<byte[], T> decoder) {
    this(id, fixedLength, prefixes, false, encoder, decoder);
  }

  private FunctionEncoding(
      String id,
      int fixedLength,
      boolean prefixes,
      boolean natural,
      Function<T, byte[]> encoder,
      Function<byte[], T> decoder) {
    this.id = id;
    this.fixedLength = fixedLength;
    this.prefixes = prefixes;
    this.natural = natural;
    this.encoder = encoder;
    this.decoder = decoder;
  }

  /** The same encoding once more. */
  FunctionEncoding(FunctionEncoding<T> same) {
    this(same.id, same.fixedLength, same.prefixes, same.natural, same.encoder, same.decoder);
  }

  /** The same encoding of values whose {@code compareTo} has the order of the bytes. */
  FunctionEncoding<T> natural() {
    return new FunctionEncoding<>(id, fixedLength, prefixes, true, encoder, decoder);
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public int fixedLength() {
    return fixedLength;
  }

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public boolean naturallyOrdered() {
    return natural;
  }

  @Override
  public byte[] encode(T value) {
    Arguments.notNull("the value to encode", value);
    try {
      return encoder.apply(value);
    } catch (IllegalArgumentException e) {
      throw new CanopyException(
          ErrorCode.CODEC_FAILURE, "codec " + id + " cannot encode: " + e.getMessage(), e);
    }
  }

  @Override
  public T decode(byte[] bytes) {
    Arguments.notNull("the bytes to decode", bytes);
    try {
      return decoder.apply(bytes);
    } catch (MalformedBytesException e) {
      throw new CanopyException(
          ErrorCode.CODEC_FAILURE, "codec " + id + " cannot decode: " + e.getMessage(), e);
    }
  }

  @Override
  public byte[] prefix(T prefix) {
    return prefixes ? encode(prefix) : Encoding.super.prefix(prefix);
  }

  /** The id. */
  @Override
  public String toString() {
    return id;
  }
}
