package io.canopygrid.server.endpoint;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.btree.serve.ServedTransaction;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.spi.Begin;
import io.canopygrid.spi.EngineView;
import io.canopygrid.spi.Mode;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One transaction of a client. Its requests are carried out one after the other, in the order in
 * which they came, by whichever worker is free; while the client does not take its answers, none
 * is. {@link #submit} is for any thread, all else for the worker that has the lane.
 */
final class TransactionLane {
  /** After so many requests in a row other lanes have their turn. */
  private static final int TURN = 16;

  private final ClientConnection connection;
  private final int number;
  private final LaneRecord record;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final Map<Integer, ServedCursor> cursors = new HashMap<>();
  private @Nullable ServedTransaction transaction;
  private boolean readOnly;

  TransactionLane(ClientConnection connection, int number, String label) {
    this.connection = connection;
    this.number = number;
    this.record = new LaneRecord(label);
  }

  int number() {
    return number;
  }

  void submit(Runnable task) {
    tasks.add(task);
    if (size.getAndIncrement() == 0) {
      connection.schedule(this::run);
    }
  }

  private void run() {
    for (int turn = 0; turn < TURN; turn++) {
      if (connection.park(this::run)) {
        return;
      }
      Runnable task = tasks.poll();
      if (task != null) {
        record.taskBegan();
        task.run();
        record.taskEnded();
      }
      if (size.decrementAndGet() == 0) {
        return;
      }
    }
    connection.schedule(this::run);
  }

  /** Carries out one request. */
  void carryOut(int stream, Request.InTransaction request, @Nullable Begin begin) {
    boolean last = request instanceof Request.Commit || request.step().last();
    CanopyException failure = null;
    record.requested();
    try {
      if (begin != null) {
        long writtenBytesMax = connection.limits().transactionBytesMax();
        StagedBytes staged = connection.metrics().staged();
        transaction = connection.node().begin(begin, writtenBytesMax, staged);
        connection.metrics().transactions().incrementAndGet();
        readOnly = begin.mode() == Mode.READ_ONLY;
      }
      ServedTransaction open = transaction;
      if (open == null) {
        throw new CanopyException(ErrorCode.TRANSACTION_CLOSED, "the transaction is not open");
      }
      takeWrites(open, request.step());
      answer(open, stream, request);
      last &= !(request instanceof Request.Scan);
    } catch (CanopyException e) {
      failure = e;
    } catch (RuntimeException e) {
      boolean commit = request instanceof Request.Commit;
      failure =
          ClientConnection.unexpected(e, commit ? CommitState.UNKNOWN : CommitState.NOT_COMMITTED);
    }
    if (failure != null) {
      record.failed(failure);
    }
    if (last || transaction == null) {
      end(request.step().last());
    }
    if (failure != null) {
      if (request instanceof Request.Scan) {
        connection.cursorEnded(stream);
      }
      connection.fail(stream, failure); // numbers are free again before the client hears of it
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
    IndexRef ref = connection.node().indexOfUser(index);
    connection.access().check(right, ref.name());
    return ref;
  }

  private void answer(ServedTransaction open, int stream, Request.InTransaction request) {
    if (request instanceof Request.Get get) {
      int before = open.remoteRequests();
      byte[] value = open.on(index(get.index(), Right.READ)).get(get.key());
      boolean moved = open.remoteRequests() > before;
      connection.answer(
          stream, open.clock(), clock -> new Reply.Value(new Reply.Seen(moved, clock), value));
    } else if (request instanceof Request.Commit commit) {
      VectorClock seen = record.commit(() -> open.commit(commit.commit()));
      boolean moved = isElsewhere(commit.step());
      connection.answer(stream, seen, clock -> new Reply.Done(new Reply.Seen(moved, clock)));
      connection.node().forgotten().forget(commit.forget());
    } else if (request instanceof Request.Scan scan) {
      IndexRef index = index(scan.index(), Right.READ);
      ServedCursor cursor = new ServedCursor(connection, this, stream, open, index, scan);
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
      connection.access().check(Right.READ, index.name());
      answerCount(open, stream, open.on(index).removeRange(remove.range()));
    } else {
      connection.answer(stream, open.clock(), TransactionLane::done);
    }
  }

  /** Whether the key by which a commit was sent here belongs to another node. */
  private boolean isElsewhere(Step step) {
    if (step.begin() == null || step.writes().isEmpty()) {
      return false;
    }
    Step.Write first = step.writes().get(0);
    ServedNode node = connection.node();
    return !node.has(node.index(first.index()), first.key());
  }

  private static Reply done(VectorClock clock) {
    return new Reply.Done(new Reply.Seen(false, clock));
  }

  private void answerCount(ServedTransaction open, int stream, long count) {
    connection.answer(
        stream, open.clock(), clock -> new Reply.Count(new Reply.Seen(false, clock), count));
  }

  /** A cursor has come to its end, or failed. */
  void cursorEnded(int stream, boolean last) {
    if (cursors.remove(stream) != null) {
      connection.cursorEnded(stream);
    }
    if (last) {
      end(true);
    }
  }

  /** The client needs no more of a cursor. */
  void closeCursor(int stream) {
    ServedCursor cursor = cursors.get(stream);
    if (cursor != null) {
      cursor.close();
    }
  }

  /**
   * Ends the transaction where it has not ended.
   *
   * @param asIntended it was read-only and has come to its end
   */
  void end(boolean asIntended) {
    end(asIntended, "");
  }

  /** Ends the transaction, which its client has not done, for this reason. */
  void giveUp(String why) {
    end(false, why);
  }

  private void end(boolean asIntended, String why) {
    cursors.values().forEach(ServedCursor::abandon);
    ServedTransaction open = transaction;
    transaction = null;
    if (open != null) {
      connection.metrics().transactions().decrementAndGet();
      open.end(asIntended && readOnly);
      record.ended(open, connection, asIntended && readOnly, why);
    }
    cursors.keySet().forEach(connection::cursorEnded);
    cursors.clear();
    connection.transactionEnded(this);
  }
}
