package io.canopygrid.opentelemetry;

import io.canopygrid.TransactionListener;
import io.canopygrid.TransactionOptions;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Makes a span of each transaction of a handle, and one below it of each attempt, with the semantic
 * conventions of OpenTelemetry for databases. In the body of a transaction the span of its attempt
 * is the current one.
 *
 * <pre>{@code
 * db.listen(new TransactionSpans(GlobalOpenTelemetry.get()));
 * }</pre>
 *
 * <p>Keys and values are in no span. Thread-safe.
 */
public final class TransactionSpans implements TransactionListener {
  private static final String SCOPE = "io.canopygrid";

  private final Tracer tracer;

  /** Spans by a tracer of the application's OpenTelemetry. */
  public TransactionSpans(OpenTelemetry telemetry) {
    tracer = telemetry.getTracer(SCOPE);
  }

  @Override
  public @Nullable Watch begins(Call call, TransactionOptions options) {
    String operation = call.name().toLowerCase(Locale.ROOT);
    String label = options.label();
    Context parent = Context.current();
    SpanBuilder builder =
        tracer
            .spanBuilder(label.isEmpty() ? operation : operation + " " + label)
            .setParent(parent)
            .setSpanKind(SpanKind.CLIENT)
            .setAttribute(SpanAttributes.SYSTEM, SpanAttributes.CANOPY)
            .setAttribute(SpanAttributes.OPERATION, operation);
    if (!label.isEmpty()) {
      builder.setAttribute(SpanAttributes.LABEL, label);
    }
    Span span = builder.startSpan();
    if (!span.getSpanContext().isValid()) {
      return null;
    }
    String unlabelled = label.isEmpty() ? operation : "";
    return new TransactionSpan(tracer, span, parent.with(span), hasBody(call), unlabelled);
  }

  /** Whether one thread does all of it, so that a span can be the current one meanwhile. */
  private static boolean hasBody(Call call) {
    return switch (call) {
      case RUN, READ, EXECUTE -> true;
      case BEGIN, PUBLISH -> false;
    };
  }
}
