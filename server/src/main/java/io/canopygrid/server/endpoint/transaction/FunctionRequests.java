package io.canopygrid.server.endpoint.transaction;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.function.ExplainedCall;
import io.canopygrid.btree.function.NamedCall;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.FunctionResult;
import io.canopygrid.engine.Mode;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.explain.Explanation;
import io.canopygrid.function.FunctionRights;
import io.canopygrid.job.JobReport;
import io.canopygrid.server.endpoint.access.Right;
import io.canopygrid.server.endpoint.traces.ServerSpan;
import io.canopygrid.server.endpoint.traces.ServerSpans;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs functions for one client. Thread-safe. */
public final class FunctionRequests {
  private final TransactionService service;
  private final ClientLink client;

  /** Functions for one client. */
  public FunctionRequests(TransactionService service, ClientLink client) {
    this.service = service;
    this.client = client;
  }

  /** Takes a call, on the client's event loop. */
  public void on(int stream, Request.Execute call, int bytes) {
    VectorClock after = client.seen().heard(call.begin().after());
    if (service.draining().get()) {
      client.fail(
          stream, new CanopyException(ErrorCode.NOT_CONNECTED, "the server is about to stop"));
      return;
    }
    long askedNanos = System.nanoTime();
    Runnable task =
        call.function().equals(JobReport.FUNCTION)
            ? () -> report(stream, call)
            : () -> run(stream, call, after, askedNanos);
    client.schedule(client.counted(bytes, task));
  }

  /** The client tells of a long job of its own, which is no transaction. */
  private void report(int stream, Request.Execute call) {
    try {
      byte[] result = service.jobs().report(call.arguments(), client.access(), client.client());
      client.answer(
          stream,
          VectorClock.ZERO,
          clock -> new Reply.Result(new Reply.Seen(false, clock), result, 0));
    } catch (CanopyException e) {
      client.fail(stream, e);
    }
  }

  /** Runs the call, on a worker. */
  private void run(int stream, Request.Execute call, VectorClock after, long askedNanos) {
    long beganNanos = System.nanoTime();
    Course course = new Course(call, askedNanos, beganNanos, explained(call, beganNanos));
    ServerSpan span = span(call, beganNanos);
    VectorClock token = call.begin().token();
    try {
      new LostClocks(service.node()).requireKept(token, deadlineNanos(call, beganNanos));
      FunctionResult result =
          service
              .node()
              .execute(named(call, after.join(token)), new ClientRights(), course.explained());
      service.log().ended(ended(course, result.remoteRequests()));
      keep(course, "");
      endSpan(span, result.remoteRequests(), null);
      boolean moved = isElsewhere(call);
      client.answer(
          stream,
          result.clock(),
          clock ->
              new Reply.Result(
                  new Reply.Seen(moved, clock), result.bytes(), result.remoteRequests()));
    } catch (CanopyException e) {
      CanopyException meant =
          new LostClocks(service.node()).meant(e, call.begin(), deadlineNanos(call, beganNanos));
      failed(stream, course, meant, span);
    } catch (RuntimeException e) {
      failed(stream, course, ClientLink.unexpected(e, CommitState.UNKNOWN), span);
    }
  }

  private static long deadlineNanos(Request.Execute call, long beganNanos) {
    return beganNanos + TimeUnit.MILLISECONDS.toNanos(call.begin().timeoutMillis());
  }

  private static NamedCall named(Request.Execute call, VectorClock after) {
    Step.Begin begin = call.begin();
    if (!begin.snapshot().isEmpty()) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "a function is an update transaction in the present");
    }
    Request.Place place = call.place();
    return new NamedCall(
        call.function(),
        call.arguments(),
        place == null ? null : new NamedCall.Place(place.index(), place.key()),
        new NamedCall.How(
            Mode.valueOf(begin.mode().name()),
            begin.readFrom(),
            begin.timeoutMillis(),
            begin.label(),
            after),
        call.attemptsMax(),
        call.commit(),
        call.forget());
  }

  /**
   * A call under way.
   *
   * @param askedNanos when its client asked for it
   * @param beganNanos when a thread began with it
   * @param explained where its steps are recorded; null: nowhere
   */
  private record Course(
      Request.Execute call, long askedNanos, long beganNanos, @Nullable ExplainedCall explained) {}

  private @Nullable ExplainedCall explained(Request.Execute call, long nowNanos) {
    String label = call.begin().label();
    Explanation sampled =
        service.explained().sample(label.isEmpty() ? call.function() : label, nowNanos);
    return sampled == null ? null : new ExplainedCall(sampled);
  }

  /** Keeps the steps of a call that has ended, if it is one of the slowest of its label. */
  private void keep(Course course, String code) {
    ExplainedCall explained = course.explained();
    if (explained != null && explained.hasBegun()) {
      service.explained().keep(explained.ended(code));
    } else if (explained != null) {
      service.explained().forget(explained.label()); // a function that is not known, for one
    }
  }

  private void failed(int stream, Course course, CanopyException e, @Nullable ServerSpan span) {
    service.log().aborted(ended(course, 0), e, "");
    keep(course, e.code().id());
    endSpan(span, 0, e);
    client.fail(stream, e);
  }

  private @Nullable ServerSpan span(Request.Execute call, long beganNanos) {
    ServerSpans spans = service.spans();
    Step.Begin begin = call.begin();
    ServerSpan span =
        spans == null
            ? null
            : spans.begin("execute", call.function(), begin.traceParent(), beganNanos);
    if (span != null) {
      span.labelled(begin.label());
      span.runs(call.function());
    }
    return span;
  }

  private static void endSpan(
      @Nullable ServerSpan span, int remoteRequests, @Nullable CanopyException failure) {
    if (span != null) {
      span.ended(
          new ServerSpan.Ended("", failure == null, 1, remoteRequests, failure), System.nanoTime());
    }
  }

  private TransactionLog.Ended ended(Course course, int remoteRequests) {
    long now = System.nanoTime();
    Request.Execute call = course.call();
    return new TransactionLog.Ended(
        "",
        call.function(),
        call.begin().label(),
        client.client(),
        1,
        remoteRequests,
        now - course.askedNanos(),
        course.beganNanos() - course.askedNanos(),
        now - course.beganNanos(),
        0);
  }

  private boolean isElsewhere(Request.Execute call) {
    Request.Place place = call.place();
    return place != null && !service.node().has(service.node().index(place.index()), place.key());
  }

  /** Checks that the client may use each index that the function uses. */
  private final class ClientRights implements FunctionRights {
    @Override
    public void open(String index) {
      client.access().check(Right.READ, index);
      if (service.node().indexes().stream().map(IndexRef::name).noneMatch(index::equals)) {
        client.access().check(Right.WRITE, index);
      }
    }

    @Override
    public void read(OpenIndex index) {
      client.access().check(Right.READ, index.name());
    }

    @Override
    public void write(OpenIndex index) {
      client.access().check(Right.WRITE, index.name());
    }
  }
}
