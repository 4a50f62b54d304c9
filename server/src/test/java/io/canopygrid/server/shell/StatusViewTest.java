package io.canopygrid.server.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The age of a grid in words. */
final class StatusViewTest {
  @ParameterizedTest
  @CsvSource({
    "PT-5S, just now",
    "PT59S, just now",
    "PT60S, 1 min ago",
    "PT59M59S, 59 min ago",
    "PT1H, 1 h ago",
    "PT23H59M, 23 h ago",
    "P12DT3H, 12 d ago"
  })
  void isSaidInItsLargestUnit(Duration time, String words) {
    assertThat(StatusView.age(time)).isEqualTo(words);
  }
}
