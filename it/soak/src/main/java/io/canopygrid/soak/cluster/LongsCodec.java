package io.canopygrid.soak.cluster;

import io.canopygrid.Codec;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Lists of numbers, eight bytes each: a codec of a user's own. */
final class LongsCodec implements Codec<long[]> {
  static final LongsCodec INSTANCE = new LongsCodec();

  private LongsCodec() {}

  @Override
  public String id() {
    return "longs";
  }

  @Override
  public boolean ordered() {
    return false;
  }

  @Override
  public byte[] encode(long[] value) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES * value.length);
    bytes.asLongBuffer().put(value);
    return bytes.array();
  }

  @Override
  public long[] decode(byte[] bytes) {
    long[] value = new long[bytes.length / Long.BYTES];
    ByteBuffer.wrap(bytes).asLongBuffer().get(value);
    return value;
  }

  static long[] concat(long[] list, long... more) {
    long[] longer = Arrays.copyOf(list, list.length + more.length);
    System.arraycopy(more, 0, longer, list.length, more.length);
    return longer;
  }
}
