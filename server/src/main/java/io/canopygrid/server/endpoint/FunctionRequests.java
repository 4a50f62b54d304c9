package io.canopygrid.server.endpoint;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.function.NamedCall;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.spi.FunctionResult;
import io.canopygrid.spi.FunctionRights;
import io.canopygrid.spi.Mode;
import io.canopygrid.spi.OpenIndex;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;

/** Runs functions for one client. Thread-safe. */
final class FunctionRequests {
  private final Service service;
  private final ClientConnection connection;

  FunctionRequests(Service service, ClientConnection connection) {
    this.service = service;
    this.connection = connection;
  }

  /** Takes a call, on the connection's event loop. */
  void on(int stream, Request.Execute call, int bytes) {
    VectorClock after = connection.seen().heard(call.begin().after());
    if (service.draining().get()) {
      connection.fail(
          stream, new CanopyException(ErrorCode.NOT_CONNECTED, "the server is about to stop"));
      return;
    }
    connection.schedule(connection.counted(bytes, () -> run(stream, call, after)));
  }

  /** On a worker. */
  private void run(int stream, Request.Execute call, VectorClock after) {
    long beganNanos = System.nanoTime();
    try {
      FunctionResult result = service.node().execute(named(call, after), new ClientRights());
      service.log().ended(ended(call, result.remoteRequests(), beganNanos));
      boolean moved = isElsewhere(call);
      connection.answer(
          stream,
          result.clock(),
          clock ->
              new Reply.Result(
                  new Reply.Seen(moved, clock), result.bytes(), result.remoteRequests()));
    } catch (CanopyException e) {
      failed(stream, call, e, beganNanos);
    } catch (RuntimeException e) {
      failed(stream, call, ClientConnection.unexpected(e, CommitState.UNKNOWN), beganNanos);
    }
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

  private void failed(int stream, Request.Execute call, CanopyException e, long beganNanos) {
    service.log().aborted(ended(call, 0, beganNanos), e, "");
    connection.fail(stream, e);
  }

  private TransactionLog.Ended ended(Request.Execute call, int remoteRequests, long beganNanos) {
    long nanos = System.nanoTime() - beganNanos;
    return new TransactionLog.Ended(
        "",
        call.function(),
        call.begin().label(),
        connection.client(),
        1,
        remoteRequests,
        nanos,
        nanos,
        0);
  }

  private boolean isElsewhere(Request.Execute call) {
    Request.Place place = call.place();
    return place != null && !service.node().has(service.node().index(place.index()), place.key());
  }

  /** What the client may do, at each index that the function uses. */
  private final class ClientRights implements FunctionRights {
    @Override
    public void open(String index) {
      connection.access().check(Right.READ, index);
      if (service.node().indexes().stream().map(IndexRef::name).noneMatch(index::equals)) {
        connection.access().check(Right.WRITE, index);
      }
    }

    @Override
    public void read(OpenIndex index) {
      connection.access().check(Right.READ, index.name());
    }

    @Override
    public void write(OpenIndex index) {
      connection.access().check(Right.WRITE, index.name());
    }
  }
}
