package io.canopygrid;

import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * The id of a grid: 128 bits, made at random when the grid is founded and kept as long as one of
 * its members lives. A grid that is founded after all members of another one have stopped has
 * another id, whatever its name: clocks, tokens and numbers of indexes mean something in one grid
 * only. Immutable and thread-safe.
 *
 * @param high the higher 64 bits
 * @param low the lower 64 bits
 */
public record GridId(long high, long low) {
  /** Digits and letters without i, l, o and u, which are taken for others. */
  private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

  private static final int BITS = 5;
  private static final int LENGTH = 26;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** A new id, which no grid has. */
  public static GridId random() {
    return new GridId(RANDOM.nextLong(), RANDOM.nextLong());
  }

  /**
   * The id with this text.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} if it is not that of one
   */
  public static GridId parse(String text) {
    Arguments.notNull("the text of a grid's id", text);
    long high = 0;
    long low = 0;
    boolean good = text.length() == LENGTH && DIGITS.indexOf(text.charAt(0)) < 8;
    for (int i = 0; good && i < LENGTH; i++) {
      int digit = DIGITS.indexOf(text.charAt(i));
      good = digit >= 0;
      high = (high << BITS) | (low >>> (Long.SIZE - BITS));
      low = (low << BITS) | digit;
    }
    if (!good) {
      throw Arguments.invalid(
          "the id of a grid has " + LENGTH + " of the characters " + DIGITS + ": '" + text + "'");
    }
    return new GridId(high, low);
  }

  /** 26 lower-case letters and digits, see {@link #parse}. */
  @Override
  public String toString() {
    char[] text = new char[LENGTH];
    long restHigh = high;
    long restLow = low;
    for (int i = LENGTH - 1; i >= 0; i--) {
      text[i] = DIGITS.charAt((int) restLow & (DIGITS.length() - 1));
      restLow = (restLow >>> BITS) | (restHigh << (Long.SIZE - BITS));
      restHigh >>>= BITS;
    }
    return new String(text);
  }

  /** The id in errors; a grid that is not named is called so. */
  static String text(@Nullable GridId id) {
    return id == null ? "a grid that it does not name" : "grid " + id;
  }
}
