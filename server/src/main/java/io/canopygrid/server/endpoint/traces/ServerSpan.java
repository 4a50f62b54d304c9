package io.canopygrid.server.endpoint.traces;

import io.canopygrid.CanopyException;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The span of a client's transaction or function at a server, with those below it: of requests for
 * which other nodes were asked, and of the commit. Keys and values are in none. Confined to one
 * thread at a time. Times are by {@link System#nanoTime}.
 */
public final class ServerSpan {
  static final String CANOPY = "canopy";
  static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("db.system.name");
  static final AttributeKey<String> OPERATION = AttributeKey.stringKey("db.operation.name");

  private static final AttributeKey<String> COLLECTION =
      AttributeKey.stringKey("db.collection.name");
  private static final AttributeKey<String> STATUS =
      AttributeKey.stringKey("db.response.status_code");
  private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
  private static final AttributeKey<String> FUNCTION =
      AttributeKey.stringKey("db.stored_procedure.name");
  private static final AttributeKey<String> LABEL = AttributeKey.stringKey("canopy.label");
  private static final AttributeKey<String> TRANSACTION =
      AttributeKey.stringKey("canopy.transaction");
  private static final AttributeKey<Long> REQUESTS = AttributeKey.longKey("canopy.requests");
  private static final AttributeKey<Long> REMOTE = AttributeKey.longKey("canopy.remote_requests");
  private static final AttributeKey<Boolean> COMMITTED =
      AttributeKey.booleanKey("canopy.committed");

  private final Tracer tracer;
  private final Span span;
  private final EpochNanos epoch;
  private final TracedLatencies latencies;

  /** Requests to other nodes that a span tells of already. */
  private int told;

  ServerSpan(Tracer tracer, Span span, EpochNanos epoch, TracedLatencies latencies) {
    this.tracer = tracer;
    this.span = span;
    this.epoch = epoch;
    this.latencies = latencies;
  }

  /**
   * The end of a transaction.
   *
   * @param id the transaction's; empty: it has several, or none
   * @param committed whether it has committed, or has only read and come to its end
   * @param requests how many its client made
   * @param remoteRequests how many requests to other nodes these caused
   * @param failure why it was aborted; null: nothing went wrong, or its client gave it up
   */
  public record Ended(
      String id,
      boolean committed,
      int requests,
      int remoteRequests,
      @Nullable CanopyException failure) {}

  /** Sets the label that the client gave; empty: none. */
  public void labelled(String label) {
    if (!label.isEmpty()) {
      span.setAttribute(LABEL, label);
    }
  }

  /** Sets the function that is run. */
  public void runs(String function) {
    span.setAttribute(FUNCTION, function);
  }

  /**
   * A request of the client was carried out; it has a span where other nodes were asked for it.
   *
   * @param operation the request's name, such as {@code get}
   * @param index that it was about; empty: it is not known
   * @param remoteRequests of the transaction so far
   */
  public void carriedOut(
      String operation, String index, int remoteRequests, long beganNanos, long endedNanos) {
    int asked = remoteRequests - told;
    if (asked == 0) {
      return;
    }
    told = remoteRequests;
    String name = index.isEmpty() ? operation : operation + " " + index;
    Span child = below(name, SpanKind.CLIENT, beganNanos);
    child.setAttribute(OPERATION, operation).setAttribute(REMOTE, asked);
    if (!index.isEmpty()) {
      child.setAttribute(COLLECTION, index);
    }
    child.end(epoch.at(endedNanos), TimeUnit.NANOSECONDS);
  }

  /** The commit has ended, also without success. */
  public void committed(int remoteRequests, long beganNanos, long endedNanos) {
    Span child = below("commit", SpanKind.INTERNAL, beganNanos);
    child.setAttribute(OPERATION, "commit").setAttribute(REMOTE, remoteRequests - told);
    told = remoteRequests;
    child.end(epoch.at(endedNanos), TimeUnit.NANOSECONDS);
  }

  private Span below(String name, SpanKind kind, long beganNanos) {
    return tracer
        .spanBuilder(name)
        .setParent(Context.root().with(span))
        .setSpanKind(kind)
        .setStartTimestamp(epoch.at(beganNanos), TimeUnit.NANOSECONDS)
        .setAttribute(SYSTEM, CANOPY)
        .startSpan();
  }

  /** A transaction of this span counts as committed with this latency. */
  public void counted(long nanos) {
    latencies.add(span.getSpanContext(), nanos);
  }

  /** All has ended. */
  public void ended(Ended ended, long endedNanos) {
    if (!ended.id().isEmpty()) {
      span.setAttribute(TRANSACTION, ended.id());
    }
    span.setAttribute(COMMITTED, ended.committed());
    span.setAttribute(REQUESTS, ended.requests());
    span.setAttribute(REMOTE, ended.remoteRequests());
    CanopyException failure = ended.failure();
    if (failure != null && !ended.committed()) {
      // The detail of an error may have a key in it, and stays out.
      span.setAttribute(ERROR, failure.code().id()).setAttribute(STATUS, failure.code().id());
      span.setStatus(StatusCode.ERROR, failure.code().name());
    }
    span.end(epoch.at(endedNanos), TimeUnit.NANOSECONDS);
  }
}
