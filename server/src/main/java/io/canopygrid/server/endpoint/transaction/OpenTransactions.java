package io.canopygrid.server.endpoint.transaction;

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

/** The open transactions and cursors of one connection. Confined to its event loop. */
public final class OpenTransactions {
  /**
   * The time after its deadline at which the server ends a transaction that its client has not
   * ended.
   */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final TransactionService service;
  private final ClientLink client;
  private final Ends ends = new Ends();
  private final Map<Integer, Open> byNumber = new HashMap<>();
  private final Map<Integer, ClientTransaction> byCursor = new HashMap<>();

  /** No transactions yet. */
  public OpenTransactions(TransactionService service, ClientLink client) {
    this.service = service;
    this.client = client;
  }

  private record Open(ClientTransaction transaction, long deadlineNanos) {}

  /** The number of open transactions. */
  public int size() {
    return byNumber.size();
  }

  /** Takes a request within a transaction. */
  public void on(int stream, Request.InTransaction request, int bytes) {
    Step step = request.step();
    Open open = byNumber.get(step.transaction());
    Begin begin = null;
    if (step.begin() != null) {
      if (open != null) {
        client.goodbye(
            ErrorCode.PROTOCOL_ERROR, "transaction " + step.transaction() + " is begun twice");
        return;
      }
      VectorClock after = client.seen().heard(step.begin().after());
      CanopyException refusal = refusal(step);
      if (refusal != null) {
        client.fail(stream, refusal);
        return;
      }
      begin = begin(step.begin(), after);
      open =
          new Open(
              new ClientTransaction(service, client, ends, step.transaction(), begin.label()),
              begin.deadlineNanos());
      byNumber.put(step.transaction(), open);
    }
    if (open == null) {
      notOpen(stream, request);
      return;
    }
    ClientTransaction transaction = open.transaction();
    if (request instanceof Request.Scan && !mayOpenCursor(stream, transaction)) {
      return;
    }
    boolean ends = step.last() && !(request instanceof Request.Scan);
    if (request instanceof Request.Commit || ends) {
      byNumber.remove(step.transaction()); // its number is free again with the answer
    }
    Begin first = begin;
    if (transaction.carryOutNow(stream, request, first)) {
      return;
    }
    transaction.submit(client.counted(bytes, () -> transaction.carryOut(stream, request, first)));
  }

  private void notOpen(int stream, Request.InTransaction request) {
    if (!(request instanceof Request.More)) {
      client.fail(
          stream,
          new CanopyException(
              ErrorCode.TRANSACTION_CLOSED,
              "transaction " + request.step().transaction() + " is not open"));
    }
  }

  /** The reason why a transaction cannot be begun; null: it can. */
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
    return new Begin(
        mode,
        after,
        begin.token(),
        deadlineNanos,
        begin.label(),
        begin.readFrom(),
        begin.snapshot(),
        null,
        begin.traceParent());
  }

  private boolean mayOpenCursor(int stream, ClientTransaction transaction) {
    if (byCursor.size() >= service.limits().cursorsMax()) {
      client.fail(
          stream,
          new CanopyException(
              ErrorCode.OVERLOADED, byCursor.size() + " cursors are open on this connection"));
      return false;
    }
    if (byCursor.putIfAbsent(stream, transaction) != null) {
      client.goodbye(ErrorCode.PROTOCOL_ERROR, "stream " + stream + " has a cursor already");
      return false;
    }
    return true;
  }

  /** Closes a cursor that its client needs no more. */
  public void closeCursor(int stream) {
    ClientTransaction transaction = byCursor.get(stream);
    if (transaction != null) {
      transaction.submit(client.counted(0, () -> transaction.closeCursor(stream)));
    }
  }

  /** Ends a transaction as its client wishes; a read-only one has come to its end. */
  public void end(int number) {
    Open open = byNumber.remove(number);
    if (open != null && !open.transaction().endNow()) {
      open.transaction().submit(client.counted(0, () -> open.transaction().end(true)));
    }
  }

  private void ended(ClientTransaction transaction) {
    Open open = byNumber.get(transaction.number());
    if (open != null && open.transaction() == transaction) {
      byNumber.remove(transaction.number());
    }
  }

  /** Hears of ends on workers, and forgets what has ended on the event loop. */
  private final class Ends implements ClientTransaction.EndListener {
    @Override
    public void cursorEnded(int stream) {
      client.onLoop(() -> byCursor.remove(stream));
    }

    @Override
    public void ended(ClientTransaction transaction) {
      client.onLoop(() -> OpenTransactions.this.ended(transaction));
    }
  }

  /** Ends the transactions whose deadline passed some time ago. */
  public void endOverdue(long nowNanos) {
    List<Open> overdue = new ArrayList<>();
    for (Open open : byNumber.values()) {
      if (nowNanos - open.deadlineNanos() > GRACE_NANOS) {
        overdue.add(open);
      }
    }
    overdue.forEach(open -> end(open, "its time is over, and its client has not ended it"));
  }

  /** Ends all transactions, as their client has gone. */
  public void endAll() {
    List.copyOf(byNumber.values()).forEach(open -> end(open, "its client has gone"));
    byNumber.clear();
    byCursor.clear();
  }

  private void end(Open open, String why) {
    byNumber.remove(open.transaction().number());
    open.transaction().submit(() -> open.transaction().giveUp(why));
  }
}
