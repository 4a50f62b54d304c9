package io.canopygrid;

import io.canopygrid.codec.Escapes;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The components' encodings one after the other. Each ends itself, by its fixed length or by {@link
 * Escapes}, so the first component that differs decides the order, and the encoding of the first
 * few components is the prefix of all tuples that begin with them.
 */
class TupleEncoding implements Encoding<Tuple> {
  private final List<Encoding<?>> components;
  private final String id;

  TupleEncoding(List<Encoding<?>> components) {
    Arguments.inRange("components", components.size(), 2, Tuple.SIZE_MAX);
    this.components = List.copyOf(components);
    this.id = components.stream().map(Encoding::id).collect(Collectors.joining(",", "tuple(", ")"));
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public boolean ordered() {
    return components.stream().allMatch(Encoding::ordered);
  }

  @Override
  public byte[] encode(Tuple tuple) {
    Arguments.notNull("the value to encode", tuple);
    if (tuple.size() != components.size()) {
      throw Arguments.invalid(
          "codec " + id + " has " + components.size() + " components, the tuple " + tuple.size());
    }
    return encodeFirst(tuple);
  }

  @Override
  public byte[] prefix(Tuple prefix) {
    Arguments.notNull("the prefix to encode", prefix);
    if (prefix.size() > components.size()) {
      throw Arguments.invalid(
          "codec " + id + " has " + components.size() + " components, the prefix " + prefix.size());
    }
    return encodeFirst(prefix);
  }

  @Override
  public Tuple decode(byte[] bytes) {
    Arguments.notNull("the bytes to decode", bytes);
    try {
      ByteReader in = new ByteReader(bytes);
      Object[] values = new Object[components.size()];
      for (int i = 0; i < values.length; i++) {
        Encoding<?> codec = components.get(i);
        int length = codec.fixedLength();
        values[i] = codec.decode(length == VARIABLE_LENGTH ? Escapes.read(in) : in.readRaw(length));
      }
      in.end();
      return Tuple.of(values);
    } catch (MalformedBytesException e) {
      throw new CanopyException(
          ErrorCode.CODEC_FAILURE, "codec " + id + " cannot decode: " + e.getMessage(), e);
    }
  }

  private byte[] encodeFirst(Tuple tuple) {
    ByteWriter out = new ByteWriter(32);
    for (int i = 0; i < tuple.size(); i++) {
      Encoding<?> codec = components.get(i);
      byte[] bytes = encodeComponent(codec, i, tuple.get(i));
      if (codec.fixedLength() == VARIABLE_LENGTH) {
        Escapes.write(out, bytes);
      } else if (bytes.length == codec.fixedLength()) {
        out.writeRaw(bytes);
      } else {
        throw failure(
            i, "codec " + codec.id() + " has a fixed length and made " + bytes.length + " bytes");
      }
    }
    return out.toBytes();
  }

  @SuppressWarnings("unchecked") // a component of another type fails in the codec, caught here
  private <T> byte[] encodeComponent(Encoding<T> codec, int i, Object component) {
    try {
      return codec.encode((T) component);
    } catch (ClassCastException e) {
      throw failure(
          i, "codec " + codec.id() + " does not encode a " + component.getClass().getName(), e);
    }
  }

  private CanopyException failure(int i, String why) {
    return new CanopyException(
        ErrorCode.CODEC_FAILURE, "component " + i + " of " + id + ": " + why);
  }

  private CanopyException failure(int i, String why, Throwable cause) {
    return new CanopyException(
        ErrorCode.CODEC_FAILURE, "component " + i + " of " + id + ": " + why, cause);
  }

  /** The id. */
  @Override
  public String toString() {
    return id;
  }
}
