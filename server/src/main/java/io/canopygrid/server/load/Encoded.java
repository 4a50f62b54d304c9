package io.canopygrid.server.load;

import io.canopygrid.Codec;

/**
 * A codec of values that another codec has encoded already. The codec has the id of the other one.
 *
 * @param of the other codec
 */
public record Encoded(Codec<?> of) implements Codec<byte[]> {
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
