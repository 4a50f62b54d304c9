package io.canopygrid.client.netty;

import io.canopygrid.wire.MalformedBytesException;
import io.canopygrid.wire.client.WireCodec;
import io.canopygrid.wire.client.WireLimits;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Cuts the bytes of a server into frames and decodes them. Confined to one thread at a time. */
final class Frames {
  private static final int USUAL_BYTES = 16 << 10;

  /** Most bytes of one read: the JDK keeps a buffer of that size for each thread that reads. */
  private static final int READ_BYTES_MAX = 64 << 10;

  /** The bytes that were not handed out yet are from {@link #from} to {@link #to}. */
  private byte[] bytes = new byte[USUAL_BYTES];

  private int from;
  private int to;

  /** The length of the frame that is incomplete, its length included; 0: not known. */
  private int wanted;

  /** Room for what comes next; to be told by {@link #added} how much of it was used. */
  ByteBuffer room() {
    if (from == to) {
      from = 0;
      to = 0;
      if (bytes.length > USUAL_BYTES) {
        bytes = new byte[USUAL_BYTES];
      }
    }
    if (from > 0 && (to == bytes.length || from + wanted > bytes.length)) {
      System.arraycopy(bytes, from, bytes, 0, to - from);
      to -= from;
      from = 0;
    }
    if (to == bytes.length) {
      // No more than twice what has come, whatever the length says.
      bytes = Arrays.copyOf(bytes, Math.max(Math.min(2 * bytes.length, wanted), to + 1));
    }
    return ByteBuffer.wrap(bytes, to, Math.min(bytes.length - to, READ_BYTES_MAX));
  }

  /** So many bytes have come into the room. */
  void added(int count) {
    to += count;
  }

  /**
   * The next frame; null: it is not complete.
   *
   * @throws MalformedBytesException if it is none
   */
  WireCodec.@Nullable Framed next() {
    if (to - from < WireCodec.LENGTH_BYTES) {
      return null;
    }
    int announced = ByteBuffer.wrap(bytes, from, WireCodec.LENGTH_BYTES).getInt();
    int length = WireCodec.checkedLength(announced, WireLimits.FRAME_BYTES_MAX);
    wanted = WireCodec.LENGTH_BYTES + length;
    if (to - from < wanted) {
      return null;
    }
    byte[] frame = Arrays.copyOfRange(bytes, from + WireCodec.LENGTH_BYTES, from + wanted);
    from += wanted;
    wanted = 0;
    return WireCodec.decode(frame);
  }
}
