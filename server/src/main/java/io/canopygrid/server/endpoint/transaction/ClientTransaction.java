package io.canopygrid.server.endpoint.transaction;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.btree.serve.ServedTransaction;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.EngineView;
import io.canopygrid.engine.Mode;
import io.canopygrid.explain.Explanation;
import io.canopygrid.server.endpoint.access.Right;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One transaction of a client. The requests of a transaction wait in a {@link RequestQueue};
 * methods other than {@link #submit} are called by the tasks of that queue only.
 */
final class ClientTransaction {
  private final TransactionService service;
  private final ClientLink client;
  private final EndListener listener;
  private final int number;
  private final TransactionRecord record;
  private final RequestQueue queue;
  private final Map<Integer, ServedCursor> cursors = new HashMap<>();
  private @Nullable ServedTransaction transaction;

  /** Whether its first request was carried out as far as to begin it. */
  private boolean begun;

  /** Whether a request was carried out by a worker: it may have asked other nodes, and waited. */
  private boolean mayHaveAsked;

  private boolean readOnly;

  /** The failure of writes of which only some may be staged; null: there was none. */
  private @Nullable CanopyException half;

  /** Hears what has ended; called by the tasks of the transaction's queue. */
  interface EndListener {
    /** The cursor of a stream has ended. */
    void cursorEnded(int stream);

    /** The transaction has ended. */
    void ended(ClientTransaction transaction);
  }

  /**
   * A transaction that its first request begins.
   *
   * @param number the number that its client gave it
   */
  ClientTransaction(
      TransactionService service,
      ClientLink client,
      EndListener listener,
      int number,
      String label) {
    this.service = service;
    this.client = client;
    this.listener = listener;
    this.number = number;
    this.record = new TransactionRecord(service, label, service.explained());
    this.queue = new RequestQueue(client, record);
  }

  int number() {
    return number;
  }

  /** Adds a task to the transaction's queue; for any thread. */
  void submit(Runnable task) {
    queue.submit(task);
  }

  /**
   * Carries out a request at once, on the event loop, where that is certain not to wait: a read
   * whose answer this node has at hand.
   *
   * @return false: it has to be submitted
   */
  boolean carryOutNow(int stream, Request.InTransaction request, @Nullable Begin begin) {
    return request instanceof Request.Get get
        && get.step().writes().isEmpty()
        && (begin == null || service.node().beginsAtHand(begin))
        && queue.tryNow(() -> isAnsweredNow(stream, get, begin));
  }

  private boolean isAnsweredNow(int stream, Request.Get get, @Nullable Begin begin) {
    IndexRef index = service.node().indexOfUserAtHand(get.index());
    if (index == null || !client.access().isKnownToAllow(Right.READ, index.name())) {
      return false;
    }
    try {
      begin(begin);
      ServedTransaction open = transaction;
      ServedTransaction.AtHand found = open == null ? null : open.getAtHand(index, get.key());
      if (open == null || found == null) {
        return false;
      }
      record.requested();
      answerValue(open, stream, false, found.value());
    } catch (RuntimeException e) {
      return false; // a worker meets it again, and answers
    }
    if (get.step().last()) {
      end(true);
    }
    return true;
  }

  private void begin(@Nullable Begin begin) {
    if (begin != null && !begun) {
      long writtenBytesMax = service.limits().transactionBytesMax();
      ServedTransaction open = service.node().begin(begin, writtenBytesMax, service.staged());
      transaction = open;
      Explanation explanation = record.explanation();
      if (explanation != null) {
        open.explainIn(explanation);
      }
      begun = true;
      record.begun(begin.traceParent());
      service.open().incrementAndGet();
      readOnly = begin.mode() == Mode.READ_ONLY;
    }
  }

  /** Carries out one request, on a worker. */
  void carryOut(int stream, Request.InTransaction request, @Nullable Begin begin) {
    mayHaveAsked = true;
    boolean last = request instanceof Request.Commit || request.step().last();
    CanopyException failure = null;
    boolean staging = false;
    record.requested();
    try {
      begin(begin);
      ServedTransaction open = transaction;
      if (open == null) {
        throw new CanopyException(ErrorCode.TRANSACTION_CLOSED, "the transaction is not open");
      }
      if (request instanceof Request.Commit) {
        checkWhole(open);
      }
      staging = true;
      takeWrites(open, request.step());
      staging = request instanceof Request.RemoveRange;
      answer(open, stream, request);
      last &= !(request instanceof Request.Scan);
    } catch (CanopyException e) {
      failure = meant(e, begin, request.step().begin());
    } catch (RuntimeException e) {
      boolean commit = request instanceof Request.Commit;
      failure = ClientLink.unexpected(e, commit ? CommitState.UNKNOWN : CommitState.NOT_COMMITTED);
    }
    if (record.isTraced() && transaction != null) {
      traced(transaction, request);
    }
    if (failure != null) {
      half = staging ? failure : half;
      record.failed(failure);
    }
    if (last || transaction == null) {
      end(request.step().last());
    }
    if (failure != null) {
      if (request instanceof Request.Scan) {
        listener.cursorEnded(stream);
      }
      client.fail(stream, failure); // numbers are free again before the client hears of it
    }
  }

  /** The span of a commit, which ends the transaction, is there already. */
  private void traced(ServedTransaction open, Request.InTransaction request) {
    IndexRef index = service.node().indexOfUserAtHand(indexOf(request));
    String operation = request.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    record.carriedOut(operation, index == null ? "" : index.name(), open);
  }

  /**
   * The number of the index that a request is about; 0, which no index has: of none, or several.
   */
  private static int indexOf(Request.InTransaction request) {
    if (request instanceof Request.Get get) {
      return get.index();
    }
    if (request instanceof Request.Scan scan) {
      return scan.index();
    }
    if (request instanceof Request.CountRange count) {
      return count.index();
    }
    return request instanceof Request.RemoveRange remove ? remove.index() : 0;
  }

  private CanopyException meant(
      CanopyException e, @Nullable Begin begin, Step.@Nullable Begin said) {
    return begin == null || said == null
        ? e
        : new LostClocks(service.node()).meant(e, said, begin.deadlineNanos());
  }

  /** Refuses to commit after a failure that may have left a part of a request's writes out. */
  private void checkWhole(ServedTransaction open) {
    CanopyException why = half;
    if (why != null) {
      throw new CanopyException(
          why.retryable() ? why.code() : ErrorCode.ROLLBACK_ONLY,
          "a write failed half way: " + why.detail(),
          CommitState.NOT_COMMITTED,
          open.id(),
          why);
    }
  }

  private void takeWrites(ServedTransaction open, Step step) {
    for (Step.Write write : step.writes()) {
      EngineView view = open.on(index(write.index(), Right.WRITE));
      byte[] value = write.value();
      if (value == null) {
        view.remove(write.key());
      } else {
        view.put(write.key(), value);
      }
    }
  }

  private IndexRef index(int index, Right right) {
    IndexRef ref = service.node().indexOfUser(index);
    client.access().check(right, ref.name());
    return ref;
  }

  private void answer(ServedTransaction open, int stream, Request.InTransaction request) {
    if (request instanceof Request.Get get) {
      int before = open.remoteRequests();
      byte[] value = open.on(index(get.index(), Right.READ)).get(get.key());
      answerValue(open, stream, open.remoteRequests() > before, value);
    } else if (request instanceof Request.GetDefinitions get) {
      IndexRef definitions = index(get.definitions(), Right.READ);
      IndexRef rows = index(get.rows(), Right.READ);
      answerValue(open, stream, false, open.definitions(definitions, rows));
    } else if (request instanceof Request.Commit commit) {
      VectorClock seen = record.commit(open, () -> open.commit(commit.commit()));
      boolean moved = isElsewhere(commit.step());
      client.answer(stream, seen, clock -> new Reply.Done(new Reply.Seen(moved, clock)));
      service.node().forgotten().forget(commit.forget());
    } else if (request instanceof Request.Scan scan) {
      IndexRef index = index(scan.index(), Right.READ);
      ServedCursor cursor =
          new ServedCursor(client, queue, this::cursorEnded, stream, open, index, scan);
      cursors.put(stream, cursor);
      cursor.grant(scan.credits());
    } else if (request instanceof Request.More more) {
      ServedCursor cursor = cursors.get(stream);
      if (cursor != null) {
        cursor.grant(more.credits());
      }
    } else if (request instanceof Request.CountRange count) {
      answerCount(open, stream, open.on(index(count.index(), Right.READ)).count(count.range()));
    } else if (request instanceof Request.RemoveRange remove) {
      IndexRef index = index(remove.index(), Right.WRITE);
      client.access().check(Right.READ, index.name());
      answerCount(open, stream, open.on(index).removeRange(remove.range()));
    } else {
      client.answer(stream, open.clock(), ClientTransaction::done);
    }
  }

  /** Whether the key by which a commit was sent here belongs to another node. */
  private boolean isElsewhere(Step step) {
    if (step.begin() == null || step.writes().isEmpty()) {
      return false;
    }
    Step.Write first = step.writes().get(0);
    ServedNode node = service.node();
    return !node.has(node.index(first.index()), first.key());
  }

  private static Reply done(VectorClock clock) {
    return new Reply.Done(new Reply.Seen(false, clock));
  }

  private void answerValue(
      ServedTransaction open, int stream, boolean moved, byte @Nullable [] value) {
    client.answer(
        stream, open.clock(), clock -> new Reply.Value(new Reply.Seen(moved, clock), value));
  }

  private void answerCount(ServedTransaction open, int stream, long count) {
    client.answer(
        stream, open.clock(), clock -> new Reply.Count(new Reply.Seen(false, clock), count));
  }

  private void cursorEnded(int stream, boolean last) {
    if (cursors.remove(stream) != null) {
      listener.cursorEnded(stream);
    }
    if (last) {
      end(true);
    }
  }

  /** Closes a cursor that its client needs no more. */
  void closeCursor(int stream) {
    ServedCursor cursor = cursors.get(stream);
    if (cursor != null) {
      cursor.close();
    }
  }

  /**
   * Ends the transaction at once, on the event loop, as its client wishes, where that is certain
   * not to wait: it has asked no other node.
   *
   * @return false: its end has to be submitted
   */
  boolean endNow() {
    return queue.tryNow(() -> {
      if (mayHaveAsked) {
        return false;
      }
      end(true);
      return true;
    });
  }

  /**
   * Ends the transaction, if it has not ended, as its client wishes.
   *
   * @param asIntended whether a read-only transaction has come to its end
   */
  void end(boolean asIntended) {
    end(asIntended, "");
  }

  /** Ends the transaction, if it has not ended, for a reason of the server's. */
  void giveUp(String why) {
    end(false, why);
  }

  private void end(boolean asIntended, String why) {
    cursors.values().forEach(ServedCursor::abandon);
    ServedTransaction open = transaction;
    transaction = null;
    if (open != null) {
      service.open().decrementAndGet();
      open.end(asIntended && readOnly);
      record.ended(open, client::client, asIntended && readOnly, why);
    }
    cursors.keySet().forEach(listener::cursorEnded);
    cursors.clear();
    listener.ended(this);
  }
}
