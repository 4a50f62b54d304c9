package shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page about metrics and traces shows the sample program, which does what the page says. */
final class WatchedPageTest {
  private static final Path ROOT = Path.of("..", "..");
  private static final String PROGRAM = "src/main/java/shop/Watched.java";

  @Test
  void thePageShowsTheSample() throws Exception {
    String page = Files.readString(ROOT.resolve("docs/learn/metrics-and-traces.md"));
    String program = Files.readString(ROOT.resolve("docs/sample/watched").resolve(PROGRAM));
    assertThat(
            Pattern.compile("`" + PROGRAM + "`[^`]*```java\\R(.*?)```", Pattern.DOTALL)
                .matcher(page)
                .results()
                .map(block -> block.group(1)))
        .containsExactly(program);
  }

  @Test
  void theSampleHasMetersAndSpans() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    InMemorySpanExporter spans = InMemorySpanExporter.create();
    try (SdkTracerProvider tracers =
        SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(spans)).build()) {
      Watched.transfer(registry, OpenTelemetrySdk.builder().setTracerProvider(tracers).build());
      assertThat(spans.getFinishedSpanItems())
          .extracting(SpanData::getName)
          .containsExactly(
              "attempt", "run accounts", "attempt", "run accounts", "attempt", "run transfer");
    }
    assertThat(registry.get("canopy.transactions.commits").functionCounter().count()).isEqualTo(3);
  }
}
