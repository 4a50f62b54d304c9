package io.canopygrid.server.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

final class ProgressTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, UTF_8);

  @Test
  void elsewhereThanOnATerminalItEndsInOnePlainLine() {
    try (Progress progress = Progress.of(out, false, "loading", "records", 10, false)) {
      for (int i = 0; i <= 10; i++) {
        progress.reached(i);
      }
    }

    assertThat(bytes.toString(UTF_8)).isEqualToIgnoringNewLines("  loading: 10 of 10 records\n");
  }

  @Test
  void onATerminalItIsABar() {
    try (Progress progress = Progress.of(out, true, "loading", "records", 10, false)) {
      progress.reached(10);
    }

    assertThat(bytes.toString(UTF_8)).contains("loading", "100%", "10/10 records", "\r");
  }

  @Test
  void aTotalMayComeLaterAndTheRateIsShown() {
    try (Progress progress = Progress.of(out, true, "exporting", "records", -1, true)) {
      progress.expects(20);
      progress.reached(20);
    }

    assertThat(bytes.toString(UTF_8)).contains("100%", "20/20 records", " records/s");
  }
}
