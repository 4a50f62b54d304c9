package io.canopygrid.opentelemetry;

import io.canopygrid.CanopyException;
import io.canopygrid.TransactionListener.Outcome;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import java.util.List;

/**
 * The attributes of spans: first those of OpenTelemetry's conventions for databases, then Canopy's
 * own.
 */
final class SpanAttributes {
  static final String CANOPY = "canopy";

  static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("db.system.name");
  static final AttributeKey<String> OPERATION = AttributeKey.stringKey("db.operation.name");
  static final AttributeKey<String> COLLECTION = AttributeKey.stringKey("db.collection.name");
  static final AttributeKey<String> STATUS = AttributeKey.stringKey("db.response.status_code");
  static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");

  static final AttributeKey<String> LABEL = AttributeKey.stringKey("canopy.label");
  static final AttributeKey<String> TRANSACTION = AttributeKey.stringKey("canopy.transaction");
  static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("canopy.attempt");
  static final AttributeKey<Long> ATTEMPTS = AttributeKey.longKey("canopy.attempts");
  static final AttributeKey<List<String>> INDEXES = AttributeKey.stringArrayKey("canopy.indexes");
  static final AttributeKey<Long> REMOTE = AttributeKey.longKey("canopy.remote_requests");
  static final AttributeKey<Long> REDIRECTS = AttributeKey.longKey("canopy.redirects");
  static final AttributeKey<Boolean> COMMITTED = AttributeKey.booleanKey("canopy.committed");
  static final AttributeKey<String> CONFLICT = AttributeKey.stringKey("canopy.conflict.index");
  static final AttributeKey<String> OTHER = AttributeKey.stringKey("canopy.conflict.other");

  private SpanAttributes() {}

  /** Sets what an attempt and a transaction have in common. */
  static void set(Span span, Outcome outcome) {
    if (!outcome.transactionId().isEmpty()) {
      span.setAttribute(TRANSACTION, outcome.transactionId());
    }
    span.setAttribute(COMMITTED, outcome.committed());
    span.setAttribute(REMOTE, outcome.remoteRequests());
    span.setAttribute(REDIRECTS, outcome.redirects());
    Throwable error = outcome.error();
    if (error instanceof CanopyException coded) {
      setError(span, coded);
    } else if (error != null) {
      span.setAttribute(ERROR, error.getClass().getName());
      span.setStatus(StatusCode.ERROR);
    }
  }

  /** The detail of an error may have a key in it, and stays out. */
  private static void setError(Span span, CanopyException coded) {
    span.setAttribute(ERROR, coded.code().id());
    span.setAttribute(STATUS, coded.code().id());
    String index = coded.facts().get("index");
    if (index != null) {
      span.setAttribute(CONFLICT, index);
    }
    String other = coded.facts().get("other");
    if (other != null) {
      span.setAttribute(OTHER, other);
    }
    span.setStatus(StatusCode.ERROR, coded.code().name());
  }
}
