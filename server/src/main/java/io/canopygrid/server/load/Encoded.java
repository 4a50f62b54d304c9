package io.canopygrid.server.load;

import io.canopygrid.Codec;

/**
 * Bytes that another codec has made already, under its name.
 *
 * @param of that codec
 */
record Encoded(Codec<?> of) implements Codec<byte[]> {
  @Override
  public String id() {
    return of.id();
  }

  @Override
  public boolean ordered() {
    return of.ordered();
  }

  @Override
  public int fixedLength() {
    return of.fixedLength();
  }

  @Override
  public byte[] encode(byte[] value) {
    return value;
  }

  @Override
  public byte[] decode(byte[] bytes) {
    return bytes;
  }
}
