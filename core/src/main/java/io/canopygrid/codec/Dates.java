package io.canopygrid.codec;

import io.canopygrid.wire.MalformedBytesException;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;

/**
 * Dates, most significant byte first: five bytes of days since 1970 with the sign bit turned over;
 * with a time of day six bytes of its nanoseconds behind; with an offset the twelve bytes of the
 * instant and four of the offset's seconds.
 */
public final class Dates {
  private static final int DAY_BYTES = 5;
  private static final int NANO_BYTES = 6;
  private static final long DAYS_SIGN = 1L << (DAY_BYTES * Byte.SIZE - 1);
  private static final int INSTANT_BYTES = 12;

  private Dates() {}

  /** Five bytes. */
  public static byte[] encode(LocalDate date) {
    return last(date.toEpochDay() + DAYS_SIGN, DAY_BYTES);
  }

  /** The date of five bytes. */
  public static LocalDate decodeDate(byte[] bytes) {
    long days = number(Integers.requireLength(bytes, DAY_BYTES)) - DAYS_SIGN;
    try {
      return LocalDate.ofEpochDay(days);
    } catch (DateTimeException e) {
      throw new MalformedBytesException("days out of a date's range: " + days, e);
    }
  }

  /** Eleven bytes. */
  public static byte[] encode(LocalDateTime time) {
    return ByteBuffer.allocate(DAY_BYTES + NANO_BYTES)
        .put(encode(time.toLocalDate()))
        .put(last(time.toLocalTime().toNanoOfDay(), NANO_BYTES))
        .array();
  }

  /** The date and time of eleven bytes. */
  public static LocalDateTime decodeDateTime(byte[] bytes) {
    Integers.requireLength(bytes, DAY_BYTES + NANO_BYTES);
    LocalDate date = decodeDate(Arrays.copyOf(bytes, DAY_BYTES));
    long nanos = number(Arrays.copyOfRange(bytes, DAY_BYTES, bytes.length));
    try {
      return date.atTime(LocalTime.ofNanoOfDay(nanos));
    } catch (DateTimeException e) {
      throw new MalformedBytesException("nanoseconds out of a day's range: " + nanos, e);
    }
  }

  /** Sixteen bytes. */
  public static byte[] encode(OffsetDateTime time) {
    return ByteBuffer.allocate(INSTANT_BYTES + Integer.BYTES)
        .put(Times.encode(time.toInstant()))
        .put(Integers.encode(time.getOffset().getTotalSeconds()))
        .array();
  }

  /** The date, time and offset of sixteen bytes. */
  public static OffsetDateTime decodeOffsetDateTime(byte[] bytes) {
    Integers.requireLength(bytes, INSTANT_BYTES + Integer.BYTES);
    Instant instant = Times.decode(Arrays.copyOf(bytes, INSTANT_BYTES));
    int offset = Integers.decodeInt(Arrays.copyOfRange(bytes, INSTANT_BYTES, bytes.length));
    try {
      return instant.atOffset(ZoneOffset.ofTotalSeconds(offset));
    } catch (DateTimeException e) {
      throw new MalformedBytesException(
          "a time or offset out of range: " + instant + ", " + offset + " s", e);
    }
  }

  /** The least significant bytes of a number. */
  private static byte[] last(long number, int bytes) {
    byte[] all = ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    return Arrays.copyOfRange(all, Long.BYTES - bytes, Long.BYTES);
  }

  private static long number(byte[] bytes) {
    byte[] all = new byte[Long.BYTES];
    System.arraycopy(bytes, 0, all, Long.BYTES - bytes.length, bytes.length);
    return ByteBuffer.wrap(all).getLong();
  }
}
