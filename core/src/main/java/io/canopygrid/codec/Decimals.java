package io.canopygrid.codec;

import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * Decimal numbers in the order of {@link BigDecimal#compareTo}: a byte for the sign, and unless the
 * number is zero the exponent of its first digit, its digits two to a byte, and a zero byte; of a
 * negative number all bytes after the sign are turned over, so that the greater amount sorts first.
 *
 * <p>Of two amounts with d digits before the point the exponent decides if it differs, else the
 * digits from the front, where one that goes on is the greater, since the last digit is never 0:
 * the zero byte at the end is below every pair of digits, which are stored plus one.
 */
public final class Decimals {
  /** Most digits, leading and trailing zeros not counted. */
  public static final int DIGITS_MAX = 1_000;

  /** Greatest exponent of the first digit, and with a minus sign the least: 1E+32767. */
  public static final int EXPONENT_MAX = 32_767;

  private static final int NEGATIVE = 0x40;
  private static final int ZERO = 0x80;
  private static final int POSITIVE = 0xC0;
  private static final int EXPONENT_BIAS = 32_768;
  private static final int BYTES_MIN = 5;

  private Decimals() {}

  /**
   * The bytes of a number: one for zero, otherwise 4 and one for each two digits.
   *
   * @throws IllegalArgumentException if it has more than {@link #DIGITS_MAX} digits, or its
   *     exponent is beyond {@link #EXPONENT_MAX}
   */
  public static byte[] encode(BigDecimal number) {
    if (number.signum() == 0) {
      return new byte[] {(byte) ZERO};
    }
    long exponent = (long) number.precision() - number.scale() - 1;
    if (Math.abs(exponent) > EXPONENT_MAX) {
      throw new IllegalArgumentException(
          "the exponent must be from -" + EXPONENT_MAX + " to " + EXPONENT_MAX + ": " + exponent);
    }
    String digits = number.stripTrailingZeros().unscaledValue().abs().toString();
    if (digits.length() > DIGITS_MAX) {
      throw new IllegalArgumentException(
          "at most " + DIGITS_MAX + " digits: has " + digits.length());
    }
    ByteWriter out = new ByteWriter(BYTES_MIN + digits.length() / 2);
    out.writeByte(number.signum() < 0 ? NEGATIVE : POSITIVE);
    int biased = (int) exponent + EXPONENT_BIAS;
    out.writeByte(biased >>> 8).writeByte(biased);
    for (int i = 0; i < digits.length(); i += 2) {
      int second = i + 1 < digits.length() ? digits.charAt(i + 1) - '0' : 0;
      out.writeByte((digits.charAt(i) - '0') * 10 + second + 1);
    }
    byte[] bytes = out.writeByte(0).toBytes();
    return number.signum() < 0 ? turnedOver(bytes) : bytes;
  }

  /** The number of these bytes, without trailing zeros. */
  public static BigDecimal decode(byte[] bytes) {
    if (bytes.length == 1 && (bytes[0] & 0xFF) == ZERO) {
      return BigDecimal.ZERO;
    }
    int sign = bytes.length == 0 ? 0 : bytes[0] & 0xFF;
    if (bytes.length < BYTES_MIN || (sign != NEGATIVE && sign != POSITIVE)) {
      throw new MalformedBytesException("no decimal number begins or ends like this");
    }
    byte[] plain = sign == NEGATIVE ? turnedOver(bytes) : bytes;
    int exponent = ((plain[1] & 0xFF) << 8 | (plain[2] & 0xFF)) - EXPONENT_BIAS;
    StringBuilder digits = new StringBuilder(2 * plain.length);
    for (int i = 3; i < plain.length - 1; i++) {
      int pair = (plain[i] & 0xFF) - 1;
      if (pair < 0 || pair > 99) {
        throw new MalformedBytesException("no pair of digits at byte " + i);
      }
      digits.append((char) ('0' + pair / 10)).append((char) ('0' + pair % 10));
    }
    BigInteger unscaled = new BigInteger(digits.toString());
    BigDecimal number =
        new BigDecimal(
                sign == NEGATIVE ? unscaled.negate() : unscaled, digits.length() - 1 - exponent)
            .stripTrailingZeros();
    requireOnlyForm(number, bytes);
    return number;
  }

  /** One number has one encoding, or equal keys would be two. */
  private static void requireOnlyForm(BigDecimal number, byte[] bytes) {
    boolean same;
    try {
      same = Arrays.equals(encode(number), bytes);
    } catch (IllegalArgumentException e) {
      throw new MalformedBytesException("a number that cannot have been encoded", e);
    }
    if (!same) {
      throw new MalformedBytesException("not the one encoding of the number " + number);
    }
  }

  private static byte[] turnedOver(byte[] bytes) {
    byte[] result = bytes.clone();
    for (int i = 1; i < result.length; i++) {
      result[i] = (byte) ~result[i];
    }
    return result;
  }
}
