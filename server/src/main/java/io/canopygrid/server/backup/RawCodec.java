package io.canopygrid.server.backup;

import io.canopygrid.Codec;

/**
 * A codec of bytes that stay as they are, with the id of whichever codec made them. So no codec of
 * an application is needed.
 */
record RawCodec(String id) implements Codec<byte[]> {
  /** An index with keys of a codec has them in that codec's order. */
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
