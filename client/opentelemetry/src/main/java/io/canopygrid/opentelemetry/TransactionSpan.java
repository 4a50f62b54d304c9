package io.canopygrid.opentelemetry;

import io.canopygrid.TransactionListener.Outcome;
import io.canopygrid.TransactionListener.Watch;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapSetter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The span of one transaction, and those of its attempts. Calls come one at a time. */
final class TransactionSpan implements Watch {
  private static final String ATTEMPT = "attempt";

  private static final TextMapSetter<Map<String, String>> PUT =
      (fields, name, value) -> {
        if (fields != null) {
          fields.put(name, value);
        }
      };

  private final Tracer tracer;
  private final Span span;
  private final Context within;
  private final boolean hasBody;
  private final String unlabelled;

  private int attempts;
  private @Nullable Span attempt;

  /** Closed by the thread that opened it. */
  private @Nullable Scope scope;

  /**
   * The span of a transaction that begins.
   *
   * @param within the context with the span
   * @param hasBody whether one thread hears of all from the first attempt on
   * @param unlabelled the operation, which with the index is the span's name; empty: it has one
   */
  TransactionSpan(Tracer tracer, Span span, Context within, boolean hasBody, String unlabelled) {
    this.tracer = tracer;
    this.span = span;
    this.within = within;
    this.hasBody = hasBody;
    this.unlabelled = unlabelled;
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // the scope is closed when the attempt ends
  public void attemptBegins(int number) {
    attempts = number;
    Span begun =
        tracer
            .spanBuilder(ATTEMPT)
            .setParent(within)
            .setAttribute(SpanAttributes.SYSTEM, SpanAttributes.CANOPY)
            .setAttribute(SpanAttributes.ATTEMPT, number)
            .startSpan();
    attempt = begun;
    if (hasBody) {
      scope = within.with(begun).makeCurrent();
    }
  }

  @Override
  public String traceParent() {
    Map<String, String> fields = new HashMap<>();
    Context place = Context.root().with(attempt == null ? span : attempt);
    W3CTraceContextPropagator.getInstance().inject(place, fields, PUT);
    return fields.getOrDefault("traceparent", "");
  }

  @Override
  public void commits() {
    if (attempt != null) {
      attempt.addEvent("commit");
    }
  }

  @Override
  public void attemptEnded(Outcome outcome) {
    if (scope != null) {
      scope.close();
      scope = null;
    }
    if (attempt != null) {
      SpanAttributes.set(attempt, outcome);
      attempt.end();
      attempt = null;
    }
  }

  @Override
  public void ended(Outcome outcome) {
    SpanAttributes.set(span, outcome);
    span.setAttribute(SpanAttributes.ATTEMPTS, attempts);
    List<String> indexes = outcome.indexes();
    if (indexes.size() == 1) {
      span.setAttribute(SpanAttributes.COLLECTION, indexes.get(0));
      if (!unlabelled.isEmpty()) {
        span.updateName(unlabelled + " " + indexes.get(0));
      }
    } else if (!indexes.isEmpty()) {
      span.setAttribute(SpanAttributes.INDEXES, indexes);
    }
    span.end();
  }
}
