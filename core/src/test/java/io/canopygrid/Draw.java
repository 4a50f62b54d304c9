package io.canopygrid;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Draws values from a seed: half the time from the edges of the type, where encodings go wrong, and
 * otherwise of a random size. The same seed draws the same values.
 */
final class Draw {
  private static final int[] INTS = {
    Integer.MIN_VALUE,
    Integer.MIN_VALUE + 1,
    -65_537,
    -256,
    -255,
    -1,
    0,
    1,
    127,
    128,
    255,
    256,
    65_535,
    65_536,
    Integer.MAX_VALUE - 1,
    Integer.MAX_VALUE
  };
  private static final long[] LONGS = {
    Long.MIN_VALUE,
    Long.MIN_VALUE + 1,
    Integer.MIN_VALUE - 1L,
    Integer.MIN_VALUE,
    -256,
    -1,
    0,
    1,
    255,
    256,
    Integer.MAX_VALUE,
    Integer.MAX_VALUE + 1L,
    1L << 56,
    Long.MAX_VALUE - 1,
    Long.MAX_VALUE
  };

  /** Ends of the ranges of one, two, three and four bytes of UTF-8, and what lies around them. */
  private static final int[] CODE_POINTS = {
    0, 1, 'A', 'a', 0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000,
    0x1F333, 0x10FFFF
  };

  private static final byte[] BYTES = {0, 1, 2, 0x7E, 0x7F, (byte) 0x80, (byte) 0xFE, (byte) 0xFF};
  private static final Instant[] INSTANTS = {
    Instant.MIN,
    Instant.MIN.plusNanos(1),
    Instant.ofEpochSecond(-1, 999_999_999),
    Instant.EPOCH,
    Instant.ofEpochSecond(0, 1),
    Instant.ofEpochSecond(1L << 32),
    Instant.MAX
  };
  private static final double[] FLOATS = {
    Double.NEGATIVE_INFINITY,
    -Double.MAX_VALUE,
    -1.0,
    -Double.MIN_VALUE,
    -0.0,
    0.0,
    Double.MIN_VALUE,
    Double.MIN_NORMAL,
    1.0,
    Math.nextUp(1.0),
    Double.MAX_VALUE,
    Double.POSITIVE_INFINITY,
    Double.NaN
  };
  private static final LocalDate[] DATES = {
    LocalDate.MIN,
    LocalDate.MIN.plusDays(1),
    LocalDate.ofEpochDay(-1),
    LocalDate.EPOCH,
    LocalDate.ofEpochDay(255),
    LocalDate.ofEpochDay(256),
    LocalDate.MAX
  };
  private static final LocalTime[] TIMES = {
    LocalTime.MIN, LocalTime.of(0, 0, 0, 1), LocalTime.NOON, LocalTime.MAX
  };
  private static final String[] DECIMALS = {
    "0",
    "0.00",
    "-0.0",
    "1",
    "1.0",
    "1.00",
    "-1",
    "-1.0",
    "0.1",
    "0.10",
    "0.01",
    "-0.01",
    "9",
    "9.9",
    "9.99",
    "10",
    "1E1",
    "99",
    "100",
    "101",
    "1E+32767",
    "-1E+32767",
    "1E-32767",
    "-1E-32767",
    "9.99E+32767",
    "123456789012345678901234567890",
    "-0.12",
    "-0.123",
    "-0.1234"
  };

  private final SplittableRandom random;

  Draw(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** Several values of one supplier. */
  static <T> List<T> list(int size, Supplier<T> one) {
    List<T> list = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      list.add(one.get());
    }
    return list;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  boolean bool() {
    return random.nextBoolean();
  }

  int int32() {
    return bool() ? INTS[below(INTS.length)] : random.nextInt() >> below(32);
  }

  long int64() {
    return bool() ? LONGS[below(LONGS.length)] : random.nextLong() >> below(64);
  }

  String text() {
    StringBuilder text = new StringBuilder();
    for (int length = below(6); length > 0; length--) {
      text.appendCodePoint(codePoint());
    }
    return text.toString();
  }

  private int codePoint() {
    if (bool()) {
      return CODE_POINTS[below(CODE_POINTS.length)];
    }
    int c = below(Character.MAX_CODE_POINT + 1);
    return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 'b' : c;
  }

  byte[] bytes() {
    return bytes(below(7));
  }

  byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = bool() ? BYTES[below(BYTES.length)] : (byte) random.nextInt();
    }
    return bytes;
  }

  UUID uuid() {
    return new UUID(int64(), int64());
  }

  Instant instant() {
    return bool()
        ? INSTANTS[below(INSTANTS.length)]
        : Instant.ofEpochSecond(random.nextLong() >> (16 + below(47)), below(1_000_000_000));
  }

  double float64() {
    return bool() ? FLOATS[below(FLOATS.length)] : Double.longBitsToDouble(random.nextLong());
  }

  LocalDate date() {
    return bool()
        ? DATES[below(DATES.length)]
        : LocalDate.ofEpochDay(random.nextLong() >> (25 + below(30)));
  }

  LocalDateTime dateTime() {
    return date().atTime(bool() ? TIMES[below(TIMES.length)] : time());
  }

  private LocalTime time() {
    return LocalTime.ofNanoOfDay(random.nextLong(LocalTime.MAX.toNanoOfDay()));
  }

  OffsetDateTime offsetDateTime() {
    return dateTime().atOffset(ZoneOffset.ofTotalSeconds(bool() ? 0 : below(129_601) - 64_800));
  }

  BigDecimal decimal() {
    if (bool()) {
      return new BigDecimal(DECIMALS[below(DECIMALS.length)]);
    }
    BigInteger unscaled = new BigInteger(bytes(1 + below(12)));
    return new BigDecimal(unscaled, bool() ? below(41) - 20 : below(40_001) - 20_000);
  }
}
