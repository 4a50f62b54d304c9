package io.canopygrid.server.endpoint.metrics;

import io.canopygrid.ErrorCode;
import io.canopygrid.micrometer.Meters;
import io.canopygrid.micrometer.NodeFigures;
import io.canopygrid.micrometer.TransactionFigures;
import io.canopygrid.server.endpoint.access.CertificateHolder;
import io.canopygrid.server.endpoint.feed.FeedRequests;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.endpoint.limits.StagedBytes;
import io.canopygrid.server.endpoint.limits.WorkerPool;
import io.canopygrid.server.endpoint.traces.ServerSpans;
import io.canopygrid.server.endpoint.transaction.TransactionLog;
import io.canopygrid.server.endpoint.transaction.TransactionService;
import io.canopygrid.server.release.Release;
import io.canopygrid.wire.client.Request;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.netty4.NettyAllocatorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The metrics of a server, for Prometheus. Thread-safe. */
public final class EndpointMetrics implements AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger eventStreams = new AtomicInteger();
  private final Map<Class<?>, Counter> requests = new ConcurrentHashMap<>();
  private final Map<ErrorCode, Counter> failures = new ConcurrentHashMap<>();
  private final Map<ErrorCode, Counter> closed = new ConcurrentHashMap<>();
  private final Map<String, Counter> answers = new ConcurrentHashMap<>();
  private final JvmGcMetrics collections = new JvmGcMetrics();

  /**
   * Creates the metrics with nothing counted yet.
   *
   * @param certificate for clients; null: the server speaks no TLS, or its certificate is not known
   */
  public EndpointMetrics(
      TransactionService transactions,
      FeedRequests feeds,
      WorkerPool workers,
      @Nullable CertificateHolder certificate) {
    EndpointLimits limits = transactions.limits();
    StagedBytes staged = transactions.staged();
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    if (ByteBufAllocator.DEFAULT instanceof ByteBufAllocatorMetricProvider buffers) {
      new NettyAllocatorMetrics(buffers).bindTo(registry);
    }
    collections.bindTo(registry);
    gauge("canopy.clients.staged.bytes", "Written and not committed by clients", staged::held);
    gauge("canopy.clients.staged.bytes.max", "What that may be at most", staged::max);
    gauge("canopy.clients.connections", "Connections of clients", connections::get);
    gauge(
        "canopy.clients.connections.max",
        "Connections of clients that are let in",
        limits::connectionsMax);
    gauge(
        "canopy.api.event.streams",
        "Open streams of events of the API, and its requests that wait for changes",
        eventStreams::get);
    gauge("canopy.clients.workers", "Workers for requests", limits::workers);
    gauge("canopy.clients.transactions", "Open transactions of clients", transactions.open()::get);
    gauge("canopy.clients.feeds", "Change feeds that clients have open", feeds::open);
    gauge("canopy.clients.workers.busy", "Workers that carry out a request", workers::busy);
    gauge("canopy.clients.workers.waiting", "Requests that wait for a worker", workers::waiting);
    Meters meters = new Meters(registry, Tags.empty());
    NodeFigures.add(meters, transactions.node(), Release.version());
    TransactionFigures.add(meters, transactions.node()::stats);
    logged(meters, transactions.log());
    ServerSpans spans = transactions.spans();
    registry
        .getPrometheusRegistry()
        .register(
            new LatencyHistogram(
                transactions.node()::latencyCounts,
                spans == null ? List::of : spans.latencies()::all));
    if (certificate != null) {
      Gauge.builder(
              "canopy.tls.certificate.expires", certificate, c -> c.expires().getEpochSecond())
          .description("When the certificate for clients expires, since 1970")
          .baseUnit("seconds")
          .register(registry);
    }
  }

  private static void logged(Meters meters, TransactionLog log) {
    meters.counter(
        "canopy.transactions.slow",
        "Transactions that took longer than logging.slowTransactions",
        log::slow);
    meters.counter(
        "canopy.transactions.unlogged",
        "Slow and aborted transactions that were too many to log",
        log::leftOut);
  }

  private void gauge(String name, String description, Supplier<Number> value) {
    Gauge.builder(name, value).description(description).register(registry);
  }

  /** The number of connections of clients. */
  public AtomicInteger connections() {
    return connections;
  }

  /** The number of open streams of events, and of requests that wait for changes. */
  public AtomicInteger eventStreams() {
    return eventStreams;
  }

  /** Counts a request. */
  public void requested(Request request) {
    requests
        .computeIfAbsent(
            request.getClass(),
            type ->
                Counter.builder("canopy.clients.requests")
                    .description("Requests of clients")
                    .tag("type", type.getSimpleName().toLowerCase(Locale.ROOT))
                    .register(registry))
        .increment();
  }

  /** Counts an error that a client is told. */
  public void failed(ErrorCode code) {
    failures
        .computeIfAbsent(code, any -> coded("canopy.clients.failures", "Errors sent", any))
        .increment();
  }

  /**
   * Counts an answer of the HTTP API.
   *
   * @param route the method and the template of the path
   * @param status of HTTP
   */
  public void answered(String route, int status) {
    answers
        .computeIfAbsent(
            route + " " + status,
            any ->
                Counter.builder("canopy.api.answers")
                    .description("Answers of the HTTP API")
                    .tag("route", route)
                    .tag("status", Integer.toString(status))
                    .register(registry))
        .increment();
  }

  /** Counts a connection that the server closes for a reason. */
  public void closed(ErrorCode code) {
    closed
        .computeIfAbsent(code, any -> coded("canopy.clients.closed", "Connections closed", any))
        .increment();
  }

  private Counter coded(String name, String description, ErrorCode code) {
    return Counter.builder(name).description(description).tag("code", code.id()).register(registry);
  }

  /** All metrics, as names, labels and values; a value that is no number is null. */
  public List<Map<String, @Nullable Object>> figures() {
    List<Map<String, @Nullable Object>> figures = new ArrayList<>();
    for (Meter meter : registry.getMeters()) {
      Meter.Id id = meter.getId();
      Map<String, String> labels = new TreeMap<>();
      id.getTags().forEach(tag -> labels.put(tag.getKey(), tag.getValue()));
      for (Measurement measurement : meter.measure()) {
        Map<String, @Nullable Object> figure = new LinkedHashMap<>();
        figure.put("name", id.getConventionName(registry.config().namingConvention()));
        figure.put("statistic", measurement.getStatistic().getTagValueRepresentation());
        figure.put("labels", labels);
        double value = measurement.getValue();
        figure.put("value", Double.isFinite(value) ? value : null);
        figures.add(figure);
      }
    }
    return figures;
  }

  /**
   * All metrics in a text format.
   *
   * @param type the media type of OpenMetrics, which has exemplars, or of Prometheus' own format
   */
  public String text(String type) {
    return registry.scrape(type);
  }

  @Override
  public void close() {
    collections.close();
    registry.close();
  }
}
