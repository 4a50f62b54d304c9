package io.canopygrid.server.logging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.config.LogFormat;
import io.canopygrid.server.config.LogLevel;
import io.canopygrid.server.facts.RecentLines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.Logger;

/** The lines that a server logs. */
@Isolated
final class LogsTest {
  private static CanopyException error() {
    return new CanopyException(
        ErrorCode.SHARD_UNAVAILABLE,
        "shard 7 has no owner",
        CommitState.NOT_COMMITTED,
        "n1-42",
        null);
  }

  @Test
  void textIsALineWithTimeLevelAndLogger() {
    String text = logged(LogFormat.TEXT, LogLevel.INFO, log -> log.info("{} things", 3)).strip();

    assertThat(text).matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+\\S+ INFO  a.b.Thing 3 things");
  }

  @Test
  void jsonHasCodeAndTransactionOfAnErrorAsFields() throws IOException {
    String line =
        logged(
            LogFormat.JSON,
            LogLevel.WARN,
            log -> log.warn("wrong", new IllegalStateException(error())));

    JsonNode json = new ObjectMapper().readTree(line);
    assertThat(line.lines()).hasSize(1);
    assertThat(json.path("message").asText()).isEqualTo("wrong");
    assertThat(json.path("level").asText()).isEqualTo("WARN");
    assertThat(json.path("logger").asText()).isEqualTo("a.b.Thing");
    assertThat(json.path("code").asText()).isEqualTo("CNPY-4001");
    assertThat(json.path("transaction").asText()).isEqualTo("n1-42");
    assertThat(json.path("stack").asText()).contains("IllegalStateException");
    assertThat(json.path("time").asText()).endsWith("Z");
  }

  @Test
  void fieldsOfALineAreFieldsOfJson() throws IOException {
    String line =
        logged(
            LogFormat.JSON,
            LogLevel.INFO,
            log -> log.atInfo().addKeyValue("code", "CNPY-2007").addKeyValue("millis", 3).log("x"));

    JsonNode json = new ObjectMapper().readTree(line);
    assertThat(json.path("code").asText()).isEqualTo("CNPY-2007");
    assertThat(json.path("millis").asInt()).isEqualTo(3);
  }

  @Test
  void levelsDecideWhatIsLogged() {
    assertThat(logged(LogFormat.TEXT, LogLevel.WARN, log -> log.info("no"))).isEmpty();
    assertThat(logged(LogFormat.TEXT, LogLevel.OFF, log -> log.error("no"))).isEmpty();
  }

  @Test
  void theLastLinesCanBeAskedForAsText() {
    logged(LogFormat.JSON, LogLevel.INFO, log -> log.info("{} things", 3));

    List<String> lines = RecentLines.lines();
    assertThat(lines.get(lines.size() - 1)).endsWith("INFO  a.b.Thing 3 things");
  }

  /** Standard error is the process's own, so nothing else may run meanwhile. */
  private static String logged(LogFormat format, LogLevel level, Consumer<Logger> lines) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream before = System.err;
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    System.setErr(new PrintStream(bytes, true, UTF_8));
    try {
      Logs.setUp(context, format, level, Map.of("other", LogLevel.TRACE));
      lines.accept(context.getLogger("a.b.Thing"));
    } finally {
      context.stop();
      System.setErr(before);
    }
    return bytes.toString(UTF_8);
  }
}
