package io.canopygrid.gmu.infinispan.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Locale.Category;
import org.jgroups.util.Util;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** JGroups writes numbers in each locale while a network starts, and the locale is kept. */
final class PlainDigitsTest {
  private static final Locale BEFORE = Locale.getDefault(Category.FORMAT);

  @AfterEach
  void putBack() {
    Locale.setDefault(Category.FORMAT, BEFORE);
  }

  @Test
  void everyLocaleIsPutBackAfterTheLastOne() {
    for (Locale locale : Locale.getAvailableLocales()) {
      Locale.setDefault(Category.FORMAT, locale);
      PlainDigits.during(() -> {
        PlainDigits.during(() -> assertThat(Util.printTime(1.5)).startsWith("1"));
        assertThat(Util.printTime(1.5)).as("%s", locale).startsWith("1");
      });
      assertThat(Locale.getDefault(Category.FORMAT)).isEqualTo(locale);
    }
  }

  @Test
  void aLocaleWithTheseDigitsStays() {
    Locale.setDefault(Category.FORMAT, Locale.GERMANY);
    PlainDigits.during(
        () -> assertThat(Locale.getDefault(Category.FORMAT)).isEqualTo(Locale.GERMANY));
  }
}
