package io.canopygrid.server.endpoint;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A collector of OpenTelemetry that keeps the spans that it is sent by OTLP over HTTP. */
final class FakeCollector implements AutoCloseable {
  private final HttpServer server;
  private final List<CollectedSpan> spans = new CopyOnWriteArrayList<>();
  private final AtomicInteger refused = new AtomicInteger();
  private volatile int status = 200;

  FakeCollector() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/traces", this::take);
    server.start();
  }

  /**
   * A span as it came.
   *
   * @param sender the attributes of the resource
   */
  record CollectedSpan(
      String traceId,
      String spanId,
      String parentId,
      String name,
      String kind,
      String error,
      Map<String, String> attributes,
      Map<String, String> sender,
      long beganNanos,
      long endedNanos) {}

  private void take(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    int now = status;
    if (now == 200) {
      for (ResourceSpans of : ExportTraceServiceRequest.parseFrom(body).getResourceSpansList()) {
        Map<String, String> sender = texts(of.getResource().getAttributesList());
        of.getScopeSpansList()
            .forEach(
                scope -> scope.getSpansList().forEach(span -> spans.add(collected(span, sender))));
      }
    }
    if (now != 200) {
      refused.incrementAndGet();
    }
    exchange.sendResponseHeaders(now, -1);
    exchange.close();
  }

  private static CollectedSpan collected(Span span, Map<String, String> sender) {
    HexFormat hex = HexFormat.of();
    return new CollectedSpan(
        hex.formatHex(span.getTraceId().toByteArray()),
        hex.formatHex(span.getSpanId().toByteArray()),
        hex.formatHex(span.getParentSpanId().toByteArray()),
        span.getName(),
        span.getKind().name(),
        span.getStatus().getMessage(),
        texts(span.getAttributesList()),
        sender,
        span.getStartTimeUnixNano(),
        span.getEndTimeUnixNano());
  }

  private static Map<String, String> texts(List<KeyValue> attributes) {
    Map<String, String> texts = new TreeMap<>();
    for (KeyValue attribute : attributes) {
      AnyValue value = attribute.getValue();
      texts.put(
          attribute.getKey(),
          switch (value.getValueCase()) {
            case STRING_VALUE -> value.getStringValue();
            case INT_VALUE -> Long.toString(value.getIntValue());
            case BOOL_VALUE -> Boolean.toString(value.getBoolValue());
            default -> value.toString();
          });
    }
    return texts;
  }

  /** Answers with this status of HTTP from now on; keeps what comes with 200 only. */
  void answers(int code) {
    status = code;
  }

  /** The number of requests that it has not answered with 200. */
  int refused() {
    return refused.get();
  }

  /** Where a server finds it: the usual path is left to be added. */
  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** All spans so far. */
  List<CollectedSpan> spans() {
    return List.copyOf(spans);
  }

  /** The spans directly below one. */
  List<CollectedSpan> below(String spanId) {
    return spans.stream().filter(span -> span.parentId().equals(spanId)).toList();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
