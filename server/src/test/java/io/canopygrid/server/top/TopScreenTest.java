package io.canopygrid.server.top;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jline.terminal.Size;
import org.jline.terminal.impl.LineDisciplineTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The view on a terminal of the test's own. */
@Timeout(60)
final class TopScreenTest {
  private static final String RED = "\u001b[31;1m";
  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

  private String show(String keys, boolean coloured, Supplier<TopSample> looks) throws IOException {
    try (LineDisciplineTerminal terminal =
        new LineDisciplineTerminal("test", "xterm", shown, UTF_8)) {
      terminal.setSize(new Size(100, 30));
      terminal.processInputBytes(keys.getBytes(UTF_8));
      new TopScreen(terminal, looks, coloured).run();
    }
    return shown.toString(UTF_8);
  }

  private static TopSample sample(long seconds) {
    return Samples.of(seconds, List.of(Samples.index("names", 1, 1)), 100 * seconds);
  }

  @Test
  void aKeyEndsItAndTheTerminalIsAsBefore() throws IOException {
    String text = show("xq", true, () -> sample(1));

    assertThat(text)
        .contains(" nodes, ", "names", "q ends")
        .contains("\u001b[?1049h")
        .contains("\u001b[?1049l");
  }

  @Test
  void withoutColoursTextIsPlain() throws IOException {
    assertThat(show("q", false, () -> sample(1))).doesNotContain(RED);
    assertThat(show("q", true, () -> sample(1))).contains(RED + "1 of 1 nodes");
  }

  @Test
  void theFirstLookThatFailsEndsIt() {
    CanopyException away = new CanopyException(ErrorCode.NOT_CONNECTED, "no server");

    assertThatThrownBy(() ->
            show(
                "",
                true,
                () -> {
                  throw away;
                }))
        .isSameAs(away);
    assertThat(shown.toString(UTF_8)).isEmpty();
  }

  @Test
  void aLaterLookThatFailsIsToldAndTheLastOneStays() throws IOException {
    AtomicInteger looks = new AtomicInteger();
    try (LineDisciplineTerminal terminal =
        new LineDisciplineTerminal("test", "xterm", shown, UTF_8)) {
      terminal.setSize(new Size(200, 30));
      new TopScreen(
              terminal,
              () -> {
                if (looks.incrementAndGet() == 2) {
                  throw new CanopyException(ErrorCode.NOT_CONNECTED, "no server");
                }
                if (looks.get() == 3) {
                  type(terminal, "q");
                }
                return sample(1);
              },
              false)
          .run();
    }
    assertThat(shown.toString(UTF_8)).contains("not now: CNPY-4002");
  }

  private static void type(LineDisciplineTerminal terminal, String keys) {
    try {
      terminal.processInputBytes(keys.getBytes(UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
