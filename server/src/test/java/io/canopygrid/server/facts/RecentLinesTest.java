package io.canopygrid.server.facts;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The last lines of a log. A JVM has one list of them, so nothing else may log meanwhile. */
@Isolated
final class RecentLinesTest {
  private final LoggerContext context = new LoggerContext();
  private final Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

  RecentLinesTest() {
    root.setLevel(Level.TRACE);
    root.addAppender(new RecentLines(context, "%level %msg%n", Set.of("transactions")));
  }

  @Test
  void theLastLinesAreKept() {
    for (int i = 0; i < 700; i++) {
      root.info("line {}", i);
    }

    List<String> lines = RecentLines.lines();
    assertThat(lines).hasSize(500).startsWith("INFO line 200").endsWith("INFO line 699");
  }

  @Test
  void linesThatMayNameKeysAreLeftOut() {
    context.getLogger("transactions").error("a key is in the way: ada");
    root.debug("a developer's line: ada");
    root.warn("the last one");

    assertThat(RecentLines.lines())
        .endsWith("WARN the last one")
        .noneMatch(line -> line.contains("ada"));
  }

  @Test
  void aLongLineIsCut() {
    root.warn("x".repeat(10_000));

    List<String> lines = RecentLines.lines();
    assertThat(lines.get(lines.size() - 1)).hasSize(4_001).endsWith("x…");
  }
}
