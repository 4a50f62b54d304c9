package io.canopygrid.table;

import io.canopygrid.Codec;

/**
 * Encoded keys as they are, under the id of the codec that has encoded them.
 *
 * @param id of the other codec, which is ordered
 */
record NamedBytes(String id) implements Codec<byte[]> {
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
