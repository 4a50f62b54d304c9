package io.canopygrid.server.endpoint.traces;

import io.canopygrid.ErrorCode;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says once that the collector takes no spans, and when it does again. Spans that it has not taken
 * are lost. Thread-safe.
 */
final class CollectorExporter implements SpanExporter {
  private static final Logger LOG = LoggerFactory.getLogger(CollectorExporter.class);

  private final SpanExporter exporter;
  private final String url;
  private final AtomicBoolean failing = new AtomicBoolean();

  /**
   * Sends by an exporter.
   *
   * @param url where the collector takes spans, for the log
   */
  CollectorExporter(SpanExporter exporter, String url) {
    this.exporter = exporter;
    this.url = url;
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    CompletableResultCode result = exporter.export(spans);
    result.whenComplete(() -> completed(result));
    return result;
  }

  private void completed(CompletableResultCode result) {
    if (result.isSuccess()) {
      if (failing.compareAndSet(true, false)) {
        LOG.info("{} takes spans again", url);
      }
    } else if (failing.compareAndSet(false, true)) {
      Throwable why = result.getFailureThrowable();
      LOG.warn(
          "{}: {} takes no spans, which are lost until it does: {}",
          ErrorCode.TRACES_NOT_SENT,
          url,
          reason(why));
    }
  }

  /** The error at the root; that of an answer which is an error of HTTP has no words. */
  private static String reason(@Nullable Throwable why) {
    Throwable root = why;
    while (root != null && root.getCause() != null) {
      root = root.getCause();
    }
    return root == null || root.getMessage() == null
        ? "it refuses what it is sent"
        : root.toString();
  }

  @Override
  public CompletableResultCode flush() {
    return exporter.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return exporter.shutdown();
  }
}
