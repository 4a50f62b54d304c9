package io.canopygrid.gmu.infinispan.bootstrap;

import java.util.Locale;
import java.util.Locale.Category;

/**
 * The digits 0 to 9 in what the JVM formats by its default locale, for as long as a network starts.
 * JGroups writes a precision into a format by that locale, and cannot read it back where the digits
 * are others, as those of Arabic: no channel connects there. An application that formats numbers at
 * the same moment gets these digits as well. Thread-safe: several networks may start at once.
 */
final class PlainDigits {
  private static int open;
  private static Locale before = Locale.ROOT;

  private PlainDigits() {}

  /** Runs a task with these digits; nothing changes where the locale has them anyway. */
  static void during(Runnable task) {
    open();
    try {
      task.run();
    } finally {
      close();
    }
  }

  private static synchronized void open() {
    if (open == 0) {
      before = Locale.getDefault(Category.FORMAT);
      if (!arePlain(before)) {
        Locale.setDefault(Category.FORMAT, Locale.ROOT);
      }
    }
    open++;
  }

  /** The last one puts the locale back. */
  private static synchronized void close() {
    open--;
    if (open == 0 && !arePlain(before)) {
      Locale.setDefault(Category.FORMAT, before);
    }
  }

  private static boolean arePlain(Locale locale) {
    return String.format(locale, "%d", 1_234_567_890).equals("1234567890");
  }
}
