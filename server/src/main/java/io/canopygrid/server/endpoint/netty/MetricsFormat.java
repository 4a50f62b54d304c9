package io.canopygrid.server.endpoint.netty;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Locale;

/** The format in which a scraper gets metrics. */
final class MetricsFormat {
  static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
  static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

  private MetricsFormat() {}

  /**
   * The media type that a request accepts: OpenMetrics where it names that at all, as Prometheus
   * does where it wants exemplars, else Prometheus' own format.
   */
  static String of(HttpHeaders headers) {
    for (String accepted : headers.getAll(HttpHeaderNames.ACCEPT)) {
      if (accepted.toLowerCase(Locale.ROOT).contains("application/openmetrics-text")) {
        return OPEN_METRICS;
      }
    }
    return PROMETHEUS;
  }
}
