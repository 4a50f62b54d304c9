package io.canopygrid.gmu.infinispan.bootstrap;

import java.util.Locale;
import java.util.Locale.Category;

/**
 * The digits 0 to 9 in what the JVM formats by its default locale, for as long as a network starts.
 * JGroups writes a precision into a format by that locale, and cannot read it back where the digits
 * are others, as those of Arabic: no channel connects there. An application that formats numbers at
 * the same moment gets these digits as well. Thread-safe: several networks may start at once.
 */
final class PlainDigits implements AutoCloseable {
  private static int open;
  private static Locale before = Locale.ROOT;

  private PlainDigits() {}

  /** From now on until the last one is closed; nothing changes where the digits are plain. */
  static PlainDigits open() {
    synchronized (PlainDigits.class) {
      if (open == 0) {
        before = Locale.getDefault(Category.FORMAT);
        if (!arePlain(before)) {
          Locale.setDefault(Category.FORMAT, Locale.ROOT);
        }
      }
      open++;
    }
    return new PlainDigits();
  }

  private static boolean arePlain(Locale locale) {
    return String.format(locale, "%d", 1_234_567_890).equals("1234567890");
  }

  @Override
  public void close() {
    synchronized (PlainDigits.class) {
      open--;
      if (open == 0 && !arePlain(before)) {
        Locale.setDefault(Category.FORMAT, before);
      }
    }
  }
}
