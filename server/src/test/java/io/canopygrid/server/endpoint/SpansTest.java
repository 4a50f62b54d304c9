package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Functions;
import io.canopygrid.Index;
import io.canopygrid.TransactionListener;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.junit.CanopyGrid;
import io.canopygrid.junit.CanopyTest;
import io.canopygrid.opentelemetry.TransactionSpans;
import io.canopygrid.server.endpoint.FakeCollector.CollectedSpan;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Spans of servers at a collector, and the exemplars that name them. */
@NullUnmarked // the collector is there while a test runs
final class SpansTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "b7ad6b7169203331";
  private static final String SAMPLED = "00-" + TRACE + "-" + PARENT + "-01";
  private static final int SERVERS = 3;

  /** So many that each server has some. */
  private static final int INDEXES = 12;

  private static final TransactionOptions PAY = TransactionOptions.labelled("pay");

  private FakeCollector collector;

  @BeforeEach
  void start() throws IOException {
    collector = new FakeCollector();
  }

  @AfterEach
  void stop() {
    collector.close();
  }

  private static TransactionListener in(String parent) {
    return (call, options) ->
        new TransactionListener.Watch() {
          @Override
          public String traceParent() {
            return parent;
          }
        };
  }

  private static Index<Long, Long> numbers(RemoteCanopy client, String name) {
    return client.index(name, Codec.int64(), Codec.int64());
  }

  private CollectedSpan only(List<CollectedSpan> spans) {
    assertThat(spans).as(collector.spans().toString()).hasSize(1);
    return spans.get(0);
  }

  @Test
  @CanopyTest(nodes = SERVERS)
  void aTransactionOfThreeServersIsOneTrace(CanopyGrid grid) {
    List<SpanData> ofClient = payAtThreeServers(grid);

    SpanData attempt = ended(ofClient, "attempt");
    CollectedSpan span = only(collector.below(attempt.getSpanId()));
    assertThat(attempt.getParentSpanId()).isEqualTo(ended(ofClient, "run pay").getSpanId());
    assertThat(collector.spans())
        .extracting(CollectedSpan::traceId)
        .containsOnly(attempt.getTraceId());
    assertThat(span.name()).isEqualTo("transaction pay");
    assertThat(span.kind()).isEqualTo("SPAN_KIND_SERVER");
    assertThat(span.sender())
        .containsEntry("service.name", "canopy")
        .containsEntry("service.namespace", "test")
        .containsKeys("service.instance.id", "service.version");
    assertThat(span.attributes())
        .containsEntry("db.system.name", "canopy")
        .containsEntry("canopy.label", "pay")
        .containsEntry("canopy.committed", "true");

    List<CollectedSpan> below = collector.below(span.spanId());
    assertThat(below).as("indexes of others").anyMatch(one -> one.name().startsWith("get n"));
    assertThat(below).filteredOn(one -> one.name().equals("commit")).hasSize(1);
    assertThat(below)
        .allSatisfy(one -> {
          assertThat(one.beganNanos()).isBetween(span.beganNanos(), one.endedNanos());
          assertThat(one.endedNanos()).isLessThanOrEqualTo(span.endedNanos());
        });
    long asked = below.stream().mapToLong(one -> number(one, "canopy.remote_requests")).sum();
    assertThat(number(span, "canopy.remote_requests")).isPositive().isEqualTo(asked);
  }

  /** A transaction on indexes of all servers; the client's spans. */
  private List<SpanData> payAtThreeServers(CanopyGrid grid) {
    InMemorySpanExporter exporter = InMemorySpanExporter.create();
    try (SdkTracerProvider tracers =
            SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                .build();
        TestServer first = TestServer.traced(grid.node(0), collector.url());
        TestServer second = TestServer.traced(grid.node(1), collector.url());
        TestServer third = TestServer.traced(grid.node(2), collector.url());
        RemoteCanopy client = RemoteCanopy.connect("canopy://" + first.address())) {
      assertThat(List.of(second.address(), third.address())).doesNotContain(first.address());
      List<Index<Long, Long>> indexes =
          IntStream.range(0, INDEXES).mapToObj(i -> numbers(client, "n" + i)).toList();
      client.listen(
          new TransactionSpans(OpenTelemetrySdk.builder().setTracerProvider(tracers).build()));
      client.run(PAY, tx -> indexes.forEach(index -> tx.on(index).compute(1L, (k, v) -> 7L)));
      awaited("transaction pay");
      return exporter.getFinishedSpanItems();
    }
  }

  private static long number(CollectedSpan span, String attribute) {
    return Long.parseLong(span.attributes().get(attribute));
  }

  private static SpanData ended(List<SpanData> spans, String name) {
    return spans.stream().filter(span -> span.getName().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void whatIsNotInASampledTraceHasNoSpan() {
    try (TestServer server = TestServer.traced(EmbeddedCanopy.start(), collector.url());
        RemoteCanopy client = RemoteCanopy.connect("canopy://" + server.address())) {
      Index<Long, Long> index = numbers(client, "numbers");
      client.run(tx -> tx.on(index).put(1L, 1L));
      client.listen(in("00-" + TRACE + "-" + PARENT + "-00"));
      client.run(tx -> tx.on(index).put(2L, 2L));
    }
    assertThat(collector.spans()).isEmpty();
  }

  @Test
  void readsFunctionsAndFailuresHaveSpans() {
    try (TestServer server = TestServer.traced(EmbeddedCanopy.start(), collector.url());
        RemoteCanopy client = RemoteCanopy.connect("canopy://" + server.address())) {
      Index<Long, Long> index = numbers(client, "numbers");
      client.listen(in(SAMPLED));
      client.read(TransactionOptions.labelled("look"), tx -> tx.on(index).get(1L));
      client.execute(Functions.add(index, 1L, 5L));
      assertThatThrownBy(() ->
              client.run(
                  PAY.withMaxAttempts(1),
                  tx -> {
                    tx.on(index).get(1L);
                    overwrite(server);
                    tx.on(index).put(1L, 8L);
                  }))
          .isInstanceOf(CanopyException.class);
      awaited("transaction pay");
    }

    assertThat(collector.below(PARENT))
        .extracting(CollectedSpan::name)
        .containsExactlyInAnyOrder("transaction look", "execute canopy.add", "transaction pay");
    CollectedSpan failed = only(named("transaction pay"));
    assertThat(failed.error()).isEqualTo("WRITE_CONFLICT");
    assertThat(failed.attributes())
        .containsEntry("error.type", "CNPY-2001")
        .containsEntry("db.response.status_code", "CNPY-2001")
        .containsEntry("canopy.committed", "false");
    assertThat(only(named("execute canopy.add")).attributes())
        .containsEntry("db.stored_procedure.name", "canopy.add");
  }

  /** Another handle's transaction, which is in no trace. */
  private static void overwrite(TestServer server) {
    Index<Long, Long> index = server.node().index("numbers", Codec.int64(), Codec.int64());
    server.node().run(tx -> tx.on(index).put(1L, 6L));
  }

  private List<CollectedSpan> named(String name) {
    return collector.spans().stream().filter(span -> span.name().equals(name)).toList();
  }

  @Test
  void aRequestOfTheHttpApiIsBelowItsHeader() throws Exception {
    try (TestServer server = TestServer.traced(EmbeddedCanopy.start(), collector.url())) {
      ApiCaller api = ApiCaller.of(server);
      api.index("things", "int64", "string");
      assertThat(get(api, SAMPLED)).isEqualTo(200);
      assertThat(get(api, "00-what-ever-01")).isEqualTo(200);
      assertThat(get(api, SAMPLED, SAMPLED)).isEqualTo(200);
      awaited("transaction http");
    }
    CollectedSpan span = only(collector.spans());
    assertThat(span.parentId()).isEqualTo(PARENT);
    assertThat(span.name()).isEqualTo("transaction http");
  }

  private static int get(ApiCaller api, String... parents) throws Exception {
    HttpRequest.Builder request = api.request("/api/v1/indexes/things/entries/1");
    for (String parent : parents) {
      request.header("traceparent", parent);
    }
    return api.send(request).status();
  }

  @Test
  void aCollectorThatFailsIsToldOnceAndHoldsNothingUp() throws Exception {
    try (LogLines log = new LogLines();
        TestServer server = TestServer.traced(EmbeddedCanopy.start(), collector.url());
        RemoteCanopy client = RemoteCanopy.connect("canopy://" + server.address())) {
      collector.answers(500);
      Index<Long, Long> index = numbers(client, "numbers");
      client.listen(in(SAMPLED));
      for (long batch = 1; batch <= 2; batch++) {
        long key = batch;
        client.run(tx -> tx.on(index).put(key, key));
        await().until(() -> collector.refused() >= key);
      }
      await().until(() -> !log.warnings(ErrorCode.TRACES_NOT_SENT).isEmpty());
      assertThat(log.warnings(ErrorCode.TRACES_NOT_SENT))
          .singleElement()
          .asString()
          .contains(collector.url() + "/v1/traces", "refuses");

      collector.answers(200);
      client.run(tx -> tx.on(index).put(3L, 3L));
      await().until(() -> log.of(Level.INFO).stream().anyMatch(line -> line.contains("again")));
    }
    assertThat(collector.spans()).as("of the last transaction").isNotEmpty();
  }

  @Test
  void theHistogramOfLatenciesHasExemplars() throws Exception {
    try (TestServer server = TestServer.traced(EmbeddedCanopy.start(), collector.url());
        RemoteCanopy client = RemoteCanopy.connect("canopy://" + server.address())) {
      Index<Long, Long> index = numbers(client, "numbers");
      client.run(tx -> tx.on(index).put(1L, 1L));
      client.listen(in(SAMPLED));
      client.run(tx -> tx.on(index).put(2L, 2L));

      CollectedSpan span = awaited("transaction");
      String openMetrics = metrics(server, "application/openmetrics-text; version=1.0.0,*/*;q=0.1");
      assertThat(openMetrics)
          .containsPattern(
              "_bucket\\{le=\"[^\"]+\"} [0-9]+ # \\{span_id=\"%s\",trace_id=\"%s\"} [0-9.E-]+ "
                  .formatted(span.spanId(), TRACE))
          .endsWith("# EOF\n");
      assertThat(metrics(server, "text/plain"))
          .contains("canopy_transactions_duration_seconds_bucket{le=\"+Inf\"}")
          .doesNotContain(TRACE, "# EOF");
    }
  }

  private CollectedSpan awaited(String name) {
    await().atMost(Duration.ofSeconds(20)).until(() -> !named(name).isEmpty());
    return named(name).get(0);
  }

  private static String metrics(TestServer server, String accepted) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + server.address() + "/metrics"))
            .header("accept", accepted)
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }
}
