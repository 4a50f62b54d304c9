package io.canopygrid.server.endpoint;

import io.canopygrid.ErrorCode;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.wire.client.Request;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.netty4.NettyAllocatorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** What a server counts, for Prometheus. Thread-safe. */
final class EndpointMetrics implements AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger transactions = new AtomicInteger();
  private final Map<Class<?>, Counter> requests = new ConcurrentHashMap<>();
  private final Map<ErrorCode, Counter> failures = new ConcurrentHashMap<>();
  private final Map<ErrorCode, Counter> closed = new ConcurrentHashMap<>();
  private final StagedBytes staged;
  private final JvmGcMetrics collections = new JvmGcMetrics();

  EndpointMetrics(
      ServedNode node, Workers workers, Endpoint.Settings settings, TransactionLog log) {
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    if (ByteBufAllocator.DEFAULT instanceof ByteBufAllocatorMetricProvider buffers) {
      new NettyAllocatorMetrics(buffers).bindTo(registry);
    }
    collections.bindTo(registry);
    this.staged = new StagedBytes(settings.limits().stagedBytesMax());
    gauge("canopy.clients.staged.bytes", "Written and not committed by clients", staged::held);
    gauge("canopy.clients.staged.bytes.max", "What that may be at most", staged::max);
    gauge("canopy.clients.connections", "Connections of clients", connections::get);
    gauge(
        "canopy.clients.connections.max",
        "Connections of clients that are let in",
        settings.limits()::connectionsMax);
    gauge("canopy.clients.workers", "Workers for requests", settings.limits()::workers);
    gauge("canopy.clients.transactions", "Open transactions of clients", transactions::get);
    gauge("canopy.clients.workers.busy", "Workers that carry out a request", workers::busy);
    gauge("canopy.clients.workers.waiting", "Requests that wait for a worker", workers::waiting);
    new NodeMetrics(node).bindTo(registry);
    new TransactionMetrics(node, log).bindTo(registry);
    if (settings.tls() instanceof Certified certified) {
      Gauge.builder("canopy.tls.certificate.expires", certified, c -> c.expires().getEpochSecond())
          .description("When the certificate for clients expires, since 1970")
          .baseUnit("seconds")
          .register(registry);
    }
  }

  private void gauge(String name, String description, java.util.function.Supplier<Number> value) {
    Gauge.builder(name, value).description(description).register(registry);
  }

  AtomicInteger connections() {
    return connections;
  }

  /** What those that are open at the node have written. */
  StagedBytes staged() {
    return staged;
  }

  /** Those that are open at the node. */
  AtomicInteger transactions() {
    return transactions;
  }

  void requested(Request request) {
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

  void failed(ErrorCode code) {
    failures
        .computeIfAbsent(code, any -> coded("canopy.clients.failures", "Errors sent", any))
        .increment();
  }

  /** A connection was closed for a reason. */
  void closed(ErrorCode code) {
    closed
        .computeIfAbsent(code, any -> coded("canopy.clients.closed", "Connections closed", any))
        .increment();
  }

  private Counter coded(String name, String description, ErrorCode code) {
    return Counter.builder(name).description(description).tag("code", code.id()).register(registry);
  }

  /** All of it in Prometheus' text. */
  String text() {
    return registry.scrape();
  }

  @Override
  public void close() {
    collections.close();
    registry.close();
  }
}
