package io.canopygrid.server.endpoint;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Limits;
import io.canopygrid.TransactionOptions;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.Mode;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The open transactions and cursors of one connection. On its event loop. */
final class OpenLanes {
  /** How long after its time a transaction is ended where its client does not. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Service service;
  private final ClientConnection connection;
  private final Map<Integer, Open> byNumber = new HashMap<>();
  private final Map<Integer, TransactionLane> byCursor = new HashMap<>();

  OpenLanes(Service service, ClientConnection connection) {
    this.service = service;
    this.connection = connection;
  }

  private record Open(TransactionLane lane, long deadlineNanos) {}

  int size() {
    return byNumber.size();
  }

  /** A request within a transaction. */
  void on(int stream, Request.InTransaction request, int bytes) {
    Step step = request.step();
    Open open = byNumber.get(step.transaction());
    Begin begin = null;
    if (step.begin() != null) {
      if (open != null) {
        connection.goodbye(
            ErrorCode.PROTOCOL_ERROR, "transaction " + step.transaction() + " is begun twice");
        return;
      }
      VectorClock after = connection.seen().heard(step.begin().after());
      CanopyException refusal = refusal(step);
      if (refusal != null) {
        connection.fail(stream, refusal);
        return;
      }
      begin = begin(step.begin(), after);
      TransactionLane lane = new TransactionLane(connection, step.transaction(), begin.label());
      open = new Open(lane, begin.deadlineNanos());
      byNumber.put(step.transaction(), open);
    }
    if (open == null) {
      notOpen(stream, request);
      return;
    }
    TransactionLane lane = open.lane();
    if (request instanceof Request.Scan && !mayOpenCursor(stream, lane)) {
      return;
    }
    boolean ends = step.last() && !(request instanceof Request.Scan);
    if (request instanceof Request.Commit || ends) {
      byNumber.remove(step.transaction()); // its number is free again with the answer
    }
    Begin first = begin;
    lane.submit(connection.counted(bytes, () -> lane.carryOut(stream, request, first)));
  }

  private void notOpen(int stream, Request.InTransaction request) {
    if (!(request instanceof Request.More)) {
      connection.fail(
          stream,
          new CanopyException(
              ErrorCode.TRANSACTION_CLOSED,
              "transaction " + request.step().transaction() + " is not open"));
    }
  }

  /** Why a transaction cannot be begun; null: it can. */
  private @Nullable CanopyException refusal(Step step) {
    Step.Begin begin = step.begin();
    if (begin == null) {
      return null;
    }
    if (service.draining().get()) {
      return new CanopyException(ErrorCode.NOT_CONNECTED, "the server is about to stop");
    }
    if (byNumber.size() >= service.limits().transactionsMax()) {
      return new CanopyException(
          ErrorCode.OVERLOADED, byNumber.size() + " transactions are open on this connection");
    }
    if (begin.timeoutMillis() < 1
        || begin.timeoutMillis() > TransactionOptions.TIMEOUT_MAX.toMillis()) {
      return invalid("a transaction takes 1 ms to 1 h, not " + begin.timeoutMillis() + " ms");
    }
    if (begin.label().length() > Limits.LABEL_MAX) {
      return invalid("a label has at most " + Limits.LABEL_MAX + " characters");
    }
    if (begin.mode() != Step.Mode.READ_ONLY && !begin.snapshot().isEmpty()) {
      return invalid("a named snapshot can only be read");
    }
    if (begin.mode() != Step.Mode.READ_ONLY && step.last()) {
      return invalid("only a read-only transaction ends with its last read");
    }
    return null;
  }

  private static CanopyException invalid(String detail) {
    return new CanopyException(ErrorCode.INVALID_ARGUMENT, detail);
  }

  private static Begin begin(Step.Begin begin, VectorClock after) {
    Mode mode =
        switch (begin.mode()) {
          case READ_ONLY -> Mode.READ_ONLY;
          case UPDATE -> Mode.UPDATE;
          case SERIALIZABLE -> Mode.SERIALIZABLE;
        };
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(begin.timeoutMillis());
    return new Begin(mode, after, deadlineNanos, begin.label(), begin.readFrom(), begin.snapshot());
  }

  private boolean mayOpenCursor(int stream, TransactionLane lane) {
    if (byCursor.size() >= service.limits().cursorsMax()) {
      connection.fail(
          stream,
          new CanopyException(
              ErrorCode.OVERLOADED, byCursor.size() + " cursors are open on this connection"));
      return false;
    }
    if (byCursor.putIfAbsent(stream, lane) != null) {
      connection.goodbye(ErrorCode.PROTOCOL_ERROR, "stream " + stream + " has a cursor already");
      return false;
    }
    return true;
  }

  void closeCursor(int stream) {
    TransactionLane lane = byCursor.get(stream);
    if (lane != null) {
      lane.submit(connection.counted(0, () -> lane.closeCursor(stream)));
    }
  }

  void cursorEnded(int stream) {
    byCursor.remove(stream);
  }

  /** Ends a transaction as its client wishes: a read-only one has done what it should. */
  void end(int transaction) {
    Open open = byNumber.remove(transaction);
    if (open != null) {
      open.lane().submit(connection.counted(0, () -> open.lane().end(true)));
    }
  }

  void ended(TransactionLane lane) {
    Open open = byNumber.get(lane.number());
    if (open != null && open.lane() == lane) {
      byNumber.remove(lane.number());
    }
  }

  /** Ends the transactions whose time has been over for a while. */
  void endOverdue(long nowNanos) {
    List<Open> overdue = new ArrayList<>();
    for (Open open : byNumber.values()) {
      if (nowNanos - open.deadlineNanos() > GRACE_NANOS) {
        overdue.add(open);
      }
    }
    overdue.forEach(open -> end(open, "its time is over, and its client has not ended it"));
  }

  /** The client has gone. */
  void endAll() {
    List.copyOf(byNumber.values()).forEach(open -> end(open, "its client has gone"));
    byNumber.clear();
    byCursor.clear();
  }

  private void end(Open open, String why) {
    byNumber.remove(open.lane().number());
    open.lane().submit(() -> open.lane().giveUp(why));
  }
}
