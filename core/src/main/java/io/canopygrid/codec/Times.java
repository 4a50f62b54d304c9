package io.canopygrid.codec;

import io.canopygrid.wire.MalformedBytesException;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;

/** Instants: eight bytes of seconds with the sign bit turned over, four of nanoseconds. */
public final class Times {
  private static final int NANOS_PER_SECOND = 1_000_000_000;

  private Times() {}

  /** Twelve bytes. */
  public static byte[] encode(Instant time) {
    return ByteBuffer.allocate(12)
        .putLong(time.getEpochSecond() ^ Long.MIN_VALUE)
        .putInt(time.getNano())
        .array();
  }

  /** The instant of twelve bytes. */
  public static Instant decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(Integers.requireLength(bytes, 12));
    long seconds = in.getLong() ^ Long.MIN_VALUE;
    int nanos = in.getInt();
    if (nanos < 0 || nanos >= NANOS_PER_SECOND) {
      throw new MalformedBytesException("nanoseconds must be from 0 to 999999999: " + nanos);
    }
    try {
      return Instant.ofEpochSecond(seconds, nanos);
    } catch (DateTimeException e) {
      throw new MalformedBytesException("seconds out of an instant's range: " + seconds, e);
    }
  }
}
