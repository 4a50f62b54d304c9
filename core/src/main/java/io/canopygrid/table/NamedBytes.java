package io.canopygrid.table;

import io.canopygrid.Codec;

/**
 * Encoded bytes as they are, under the id of the codec that has encoded them: keys, whose codec is
 * ordered, or values. So no codec of an application is needed.
 *
 * @param id of the other codec
 */
public record NamedBytes(String id) implements Codec<byte[]> {
  @Override
  public boolean ordered() {
    return true;
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
