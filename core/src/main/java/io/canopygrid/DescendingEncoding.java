package io.canopygrid;

import io.canopygrid.codec.Escapes;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.util.function.BiConsumer;

/**
 * Another encoding with all bits turned over. One without a fixed length ends itself by {@link
 * Escapes} first: turned over, a longer encoding would otherwise still come after the one that it
 * begins with.
 */
class DescendingEncoding<T> implements Encoding<T> {
  private final Encoding<T> ascending;
  private final String id;

  DescendingEncoding(Encoding<T> ascending) {
    if (!ascending.ordered()) {
      throw Arguments.invalid(
          "codec " + ascending.id() + " keeps no order that could be turned round");
    }
    this.ascending = ascending;
    this.id = "descending(" + ascending.id() + ")";
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public int fixedLength() {
    return ascending.fixedLength();
  }

  @Override
  public byte[] encode(T value) {
    return turned(escaped(ascending.encode(value), Escapes::write));
  }

  @Override
  public T decode(byte[] bytes) {
    Arguments.notNull("the bytes to decode", bytes);
    byte[] value = turned(bytes);
    if (fixedLength() != VARIABLE_LENGTH) {
      return ascending.decode(value);
    }
    try {
      ByteReader in = new ByteReader(value);
      byte[] inner = Escapes.read(in);
      in.end();
      return ascending.decode(inner);
    } catch (MalformedBytesException e) {
      throw new CanopyException(
          ErrorCode.CODEC_FAILURE, "codec " + id + " cannot decode: " + e.getMessage(), e);
    }
  }

  @Override
  public byte[] prefix(T prefix) {
    return turned(escaped(ascending.prefix(prefix), Escapes::writeBeginning));
  }

  /** The bytes as they are where each encoding has the same length. */
  private byte[] escaped(byte[] bytes, BiConsumer<ByteWriter, byte[]> escape) {
    if (fixedLength() != VARIABLE_LENGTH) {
      return bytes;
    }
    ByteWriter out = new ByteWriter(bytes.length + 2);
    escape.accept(out, bytes);
    return out.toBytes();
  }

  private static byte[] turned(byte[] bytes) {
    byte[] turned = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      turned[i] = (byte) ~bytes[i];
    }
    return turned;
  }

  /** The id. */
  @Override
  public String toString() {
    return id;
  }
}
