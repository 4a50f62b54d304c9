package io.canopygrid.server.endpoint.traces;

import io.canopygrid.wire.TraceParent;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes the spans of a server and sends them to a collector of OpenTelemetry, by OTLP over HTTP. A
 * transaction has a span where its client says that it belongs to a trace that is sampled; the
 * client alone decides on that. Spans wait for the collector in a queue; where that is full they
 * are dropped. Thread-safe; nothing but {@link #close} waits.
 */
public final class ServerSpans implements AutoCloseable {
  /** Spans that wait for the collector; more are dropped. */
  private static final int WAITING_MAX = 2_048;

  private static final int BATCH_MAX = 512;
  private static final Duration PAUSE = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** The time for which a server that stops waits for the collector to take the last spans. */
  private static final long LAST_MILLIS = 2_000;

  private static final String SCOPE = "io.canopygrid.server";
  private static final String PATH = "/v1/traces";

  private final TracedLatencies latencies = new TracedLatencies();
  private final SdkTracerProvider provider;
  private final Tracer tracer;

  /**
   * The place to which spans go, and of whom they are.
   *
   * @param collector where it takes spans; a URL without a path stands for that with the usual one
   * @param cluster the name of the cluster
   * @param node the name of the node for people
   * @param release of the server
   */
  public record Sender(URI collector, String cluster, String node, String release) {
    String url() {
      String path = collector.getPath();
      boolean hasPath = path != null && !path.isEmpty() && !path.equals("/");
      return hasPath ? collector.toString() : collector.resolve(PATH).toString();
    }

    Resource resource() {
      return Resource.create(
          Attributes.of(
              AttributeKey.stringKey("service.name"), "canopy",
              AttributeKey.stringKey("service.namespace"), cluster,
              AttributeKey.stringKey("service.instance.id"), node,
              AttributeKey.stringKey("service.version"), release));
    }
  }

  /** Begins to send. The collector need not be there. */
  public ServerSpans(Sender sender) {
    OtlpHttpSpanExporter exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(sender.url())
            .setTimeout(PATIENCE)
            .setRetryPolicy(null)
            .build();
    provider =
        SdkTracerProvider.builder()
            .setResource(sender.resource())
            .setSampler(Sampler.alwaysOn())
            .addSpanProcessor(
                BatchSpanProcessor.builder(new CollectorExporter(exporter, sender.url()))
                    .setMaxQueueSize(WAITING_MAX)
                    .setMaxExportBatchSize(BATCH_MAX)
                    .setScheduleDelay(PAUSE)
                    .setExporterTimeout(PATIENCE)
                    .build())
            .build();
    tracer = provider.get(SCOPE);
  }

  /**
   * The span of something that has begun, below a client's.
   *
   * @param operation what is done
   * @param name of that; with the operation it is the span's; empty: it has none
   * @param traceParent the client's, as the client has said it
   * @param beganNanos when it began, by {@link System#nanoTime}
   * @return null: the client has said none, or one that is malformed or not sampled
   */
  public @Nullable ServerSpan begin(
      String operation, String name, String traceParent, long beganNanos) {
    TraceParent parent = traceParent.isEmpty() ? null : TraceParent.parse(traceParent);
    if (parent == null || !parent.isSampled()) {
      return null;
    }
    EpochNanos epoch = EpochNanos.now();
    Span span =
        tracer
            .spanBuilder(name.isEmpty() ? operation : operation + " " + name)
            .setParent(Context.root().with(Span.wrap(remote(parent))))
            .setSpanKind(SpanKind.SERVER)
            .setStartTimestamp(epoch.at(beganNanos), TimeUnit.NANOSECONDS)
            .setAttribute(ServerSpan.SYSTEM, ServerSpan.CANOPY)
            .setAttribute(ServerSpan.OPERATION, operation)
            .startSpan();
    return new ServerSpan(tracer, span, epoch, latencies);
  }

  private static SpanContext remote(TraceParent parent) {
    return SpanContext.createFromRemoteParent(
        parent.traceId(),
        parent.spanId(),
        TraceFlags.fromByte((byte) parent.flags()),
        TraceState.getDefault());
  }

  /** The latencies of committed transactions that have a span, for exemplars. */
  public TracedLatencies latencies() {
    return latencies;
  }

  /** Sends what waits, if the collector takes it soon, and ends. */
  @Override
  public void close() {
    provider.shutdown().join(LAST_MILLIS, TimeUnit.MILLISECONDS);
  }
}
