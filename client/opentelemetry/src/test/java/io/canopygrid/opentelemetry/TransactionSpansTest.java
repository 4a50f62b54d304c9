package io.canopygrid.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionListener;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The spans of a node's transactions, with OpenTelemetry's own SDK. */
final class TransactionSpansTest {
  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final OpenTelemetry telemetry = sdk(Sampler.alwaysOn());
  private final Tracer application = telemetry.getTracer("application");
  private final Canopy db = EmbeddedCanopy.start();
  private final Index<Long, Long> index = db.index("numbers", Codec.int64(), Codec.int64());

  private OpenTelemetry sdk(Sampler sampler) {
    return OpenTelemetrySdk.builder()
        .setTracerProvider(
            SdkTracerProvider.builder()
                .setSampler(sampler)
                .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                .build())
        .build();
  }

  @AfterEach
  void close() {
    db.close();
  }

  private void listen() {
    db.listen(new TransactionSpans(telemetry));
  }

  private List<SpanData> spans() {
    return exporter.getFinishedSpanItems();
  }

  private SpanData span(String name) {
    List<SpanData> found = spans().stream().filter(one -> one.getName().equals(name)).toList();
    assertThat(found).as(spans().toString()).hasSize(1);
    return found.get(0);
  }

  @Test
  void aTransactionHasTheConventionsOfDatabases() {
    listen();
    db.run(tx -> tx.on(index).put(1L, 1L));

    SpanData span = span("run numbers");
    assertThat(span.getKind()).isEqualTo(SpanKind.CLIENT);
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(span.getAttributes().get(SpanAttributes.SYSTEM)).isEqualTo("canopy");
    assertThat(span.getAttributes().get(SpanAttributes.OPERATION)).isEqualTo("run");
    assertThat(span.getAttributes().get(SpanAttributes.COLLECTION)).isEqualTo("numbers");
    assertThat(span.getAttributes().get(SpanAttributes.ATTEMPTS)).isEqualTo(1);
    assertThat(span.getAttributes().get(SpanAttributes.REMOTE)).isZero();
    assertThat(span.getAttributes().get(SpanAttributes.COMMITTED)).isTrue();
    SpanData attempt = span("attempt");
    assertThat(attempt.getParentSpanId()).isEqualTo(span.getSpanId());
    assertThat(attempt.getEvents()).extracting(event -> event.getName()).containsExactly("commit");
    assertThat(attempt.getAttributes().get(SpanAttributes.TRANSACTION)).isNotEmpty();
  }

  @Test
  @SuppressWarnings("try") // the scope is there to be closed
  void theSpanIsTheCurrentOneWithinTheBody() {
    listen();
    Span outer = application.spanBuilder("request").startSpan();
    try (Scope ignored = outer.makeCurrent()) {
      db.run(tx -> {
        application.spanBuilder("inner").startSpan().end();
        tx.on(index).put(1L, 1L);
      });
      assertThat(Span.current()).isSameAs(outer);
    }
    outer.end();

    assertThat(span("inner").getParentSpanId()).isEqualTo(span("attempt").getSpanId());
    assertThat(span("run numbers").getParentSpanId()).isEqualTo(outer.getSpanContext().getSpanId());
    assertThat(spans()).extracting(SpanData::getTraceId).containsOnly(outerTrace(outer));
  }

  private static String outerTrace(Span outer) {
    return outer.getSpanContext().getTraceId();
  }

  @Test
  @SuppressWarnings("try") // the scope is there to be closed
  void anAsynchronousBodyIsBelowItsCaller() {
    listen();
    Span outer = application.spanBuilder("request").startSpan();
    AtomicReference<Span> within = new AtomicReference<>();
    try (Scope ignored = outer.makeCurrent()) {
      db.runAsync(tx -> within.set(Span.current())).toCompletableFuture().join();
    }
    outer.end();

    assertThat(span("run").getParentSpanId()).isEqualTo(outer.getSpanContext().getSpanId());
    assertThat(Objects.requireNonNull(within.get()).getSpanContext().getSpanId())
        .isEqualTo(span("attempt").getSpanId());
  }

  @Test
  void eachAttemptHasASpanWithItsCode() {
    TransactionOptions once = TransactionOptions.labelled("pay").withMaxAttempts(1);
    AtomicReference<CanopyException> thrown = new AtomicReference<>();
    listen();
    assertThatThrownBy(() ->
            db.run(
                once,
                tx -> {
                  tx.on(index).get(1L);
                  db.listen(null);
                  db.runAsync(other -> other.on(index).put(1L, 1L)).toCompletableFuture().join();
                  tx.on(index).put(1L, 2L);
                }))
        .isInstanceOfSatisfying(CanopyException.class, thrown::set);

    SpanData attempt = span("attempt");
    assertThat(attempt.getAttributes().get(SpanAttributes.ERROR)).isEqualTo("CNPY-2001");
    assertThat(attempt.getAttributes().get(SpanAttributes.CONFLICT)).isEqualTo("numbers");
    SpanData span = span("run pay");
    assertThat(span.getAttributes().get(SpanAttributes.LABEL)).isEqualTo("pay");
    assertThat(span.getAttributes().get(SpanAttributes.ERROR))
        .isEqualTo(Objects.requireNonNull(thrown.get()).code().id())
        .isEqualTo(span.getAttributes().get(SpanAttributes.STATUS));
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(span.getAttributes().get(SpanAttributes.COMMITTED)).isFalse();
  }

  @Test
  void anExceptionOfTheBodyIsTheTypeOfTheError() {
    listen();
    assertThatThrownBy(() ->
            db.run(tx -> {
              throw new ArithmeticException();
            }))
        .isInstanceOf(ArithmeticException.class);

    assertThat(span("run").getAttributes().get(SpanAttributes.ERROR))
        .isEqualTo("java.lang.ArithmeticException");
    assertThat(Span.current().getSpanContext().isValid()).isFalse();
  }

  @Test
  void aTransactionThatItsCallerEndsIsNotTheCurrentOne() {
    listen();
    Index<Long, Long> more = db.index("more", Codec.int64(), Codec.int64());
    exporter.reset();
    try (Transaction tx = db.begin()) {
      assertThat(Span.current().getSpanContext().isValid()).isFalse();
      tx.on(index).put(1L, 1L);
      tx.on(more).put(1L, 1L);
      tx.commit();
    }
    assertThat(span("begin").getAttributes().get(SpanAttributes.INDEXES))
        .containsExactly("more", "numbers");
  }

  @Test
  void serversAreToldTheSpanOfTheAttempt() {
    TransactionListener.Watch watch =
        new TransactionSpans(telemetry)
            .begins(TransactionListener.Call.RUN, TransactionOptions.DEFAULTS);
    TransactionListener.Outcome committed =
        new TransactionListener.Outcome("1", true, 0, 0, List.of(), null);
    Objects.requireNonNull(watch);
    String ofAll = watch.traceParent();
    watch.attemptBegins(1);
    String ofAttempt = watch.traceParent();
    watch.attemptEnded(committed);
    watch.ended(committed);

    assertThat(ofAll).isEqualTo(header(span("run")));
    assertThat(ofAttempt).isEqualTo(header(span("attempt")));
  }

  private static String header(SpanData span) {
    return "00-" + span.getTraceId() + "-" + span.getSpanId() + "-01";
  }

  @Test
  void withoutASdkNothingIsToldFurther() {
    TransactionSpans spans = new TransactionSpans(OpenTelemetry.noop());
    assertThat(spans.begins(TransactionSpans.Call.RUN, TransactionOptions.DEFAULTS)).isNull();
  }

  @Test
  void whatIsNotSampledIsNotExported() {
    db.listen(new TransactionSpans(sdk(Sampler.alwaysOff())));
    db.run(tx -> {
      Span inBody = Span.current();
      assertThat(inBody.getSpanContext().isSampled()).isFalse();
      tx.on(index).put(1L, 1L);
    });
    assertThat(spans()).isEmpty();
  }
}
