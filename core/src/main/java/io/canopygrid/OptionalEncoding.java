package io.canopygrid;

import java.util.Arrays;
import java.util.Optional;

/** A zero byte for nothing; otherwise a one, and the encoding of the value. */
class OptionalEncoding<T> implements Encoding<Optional<T>> {
  private static final byte[] NOTHING = {0};

  private final Encoding<T> values;
  private final String id;

  OptionalEncoding(Encoding<T> values) {
    this.values = values;
    this.id = "optional(" + values.id() + ")";
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public boolean ordered() {
    return values.ordered();
  }

  @Override
  public byte[] encode(Optional<T> value) {
    Arguments.notNull("the value to encode", value);
    return value.isEmpty() ? NOTHING.clone() : present(values.encode(value.get()));
  }

  @Override
  public Optional<T> decode(byte[] bytes) {
    Arguments.notNull("the bytes to decode", bytes);
    if (bytes.length == 1 && bytes[0] == 0) {
      return Optional.empty();
    }
    if (bytes.length == 0 || bytes[0] != 1) {
      throw new CanopyException(
          ErrorCode.CODEC_FAILURE, "codec " + id + " cannot decode: the first byte is 0 or 1");
    }
    return Optional.of(values.decode(Arrays.copyOfRange(bytes, 1, bytes.length)));
  }

  /** Of a value that is there; nothing is the beginning of no other value. */
  @Override
  public byte[] prefix(Optional<T> prefix) {
    Arguments.notNull("the prefix to encode", prefix);
    return prefix.isEmpty() ? NOTHING.clone() : present(values.prefix(prefix.get()));
  }

  private static byte[] present(byte[] value) {
    byte[] bytes = new byte[1 + value.length];
    bytes[0] = 1;
    System.arraycopy(value, 0, bytes, 1, value.length);
    return bytes;
  }

  /** The id. */
  @Override
  public String toString() {
    return id;
  }
}
