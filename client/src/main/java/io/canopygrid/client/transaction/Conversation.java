package io.canopygrid.client.transaction;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.client.netty.Answer;
import io.canopygrid.client.netty.Connection;
import io.canopygrid.client.netty.LostConnectionException;
import io.canopygrid.client.netty.Pages;
import io.canopygrid.client.server.ClusterView;
import io.canopygrid.client.server.RemoteIndex;
import io.canopygrid.client.server.Replies;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Begin;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one transaction and its server, and their errors. The server is chosen by the
 * first key that the transaction touches, and hears of the transaction with the first request;
 * writes go along with the next request, or with the commit. A transaction that has seen nothing
 * yet can begin again elsewhere. Confined to the transaction's thread, apart from {@link #cutOff}.
 */
final class Conversation {
  /** Writes of more bytes are sent ahead of the commit. */
  private static final int PENDING_BYTES_MAX = 1 << 20;

  private final ClusterView cluster;
  private final String id;
  private final Begin how;
  private final Link link;
  private final List<Pages> cursors = new ArrayList<>();

  /** The indexes in use, in an unchangeable list, of which most transactions have one. */
  private List<RemoteIndex> indexes = List.of();

  /** Writes that no server has been told of. */
  private List<Step.Write> pending = new ArrayList<>();

  private long pendingBytes;
  private VectorClock clock;
  private int remoteRequests;
  private int redirects;

  /** The reason why the handle has ended the transaction; set by another thread. */
  private volatile @Nullable CanopyException cutOff;

  Conversation(ClusterView cluster, String id, Begin how) {
    this.cluster = cluster;
    this.id = id;
    this.how = how;
    this.link = new Link(cluster, how);
    this.clock = how.after();
  }

  ClusterView cluster() {
    return cluster;
  }

  String id() {
    return id;
  }

  Begin how() {
    return how;
  }

  Link link() {
    return link;
  }

  /** The clock of all that the transaction has seen. */
  VectorClock clock() {
    return clock;
  }

  void saw(VectorClock more) {
    clock = clock.join(more);
  }

  int remoteRequests() {
    return remoteRequests;
  }

  int redirects() {
    return redirects;
  }

  /** Writes that no server has been told of. */
  List<Step.Write> pending() {
    return pending;
  }

  /** Looks an index up by its name where it was opened in a former grid. */
  void require(RemoteIndex index) {
    try {
      cluster.indexes().require(index, how.grid());
    } catch (CanopyException e) {
      throw named(e, CommitState.NOT_COMMITTED);
    }
  }

  /** The transaction uses an index from now on. */
  void uses(RemoteIndex index) {
    if (indexes.isEmpty()) {
      indexes = List.of(index);
    } else {
      List<RemoteIndex> more = new ArrayList<>(indexes);
      more.add(index);
      indexes = List.copyOf(more);
    }
  }

  /** Adds a write; sends those before it ahead where they have become many. */
  void write(RemoteIndex index, byte[] key, byte @Nullable [] value) {
    long bytes = key.length + (value == null ? 0 : value.length) + 16L;
    if (!pending.isEmpty() && pendingBytes + bytes > PENDING_BYTES_MAX) {
      ask(index, key, Request.Stage::new, Reply.Done.class);
    }
    pending.add(new Step.Write(index.number(how.grid()), key, value));
    pendingBytes += bytes;
  }

  /** Sends something: gets the connection, and the function that makes the step at that time. */
  interface Question {
    CompletableFuture<Answer> ask(
        Connection connection, Function<Function<VectorClock, VectorClock>, Step> step);
  }

  /** Asks the transaction's server about a key, by which a server is chosen where there is none. */
  <R extends Reply> R ask(
      RemoteIndex index, byte[] key, Function<Step, Request> request, Class<R> wanted) {
    return ask(
        index,
        key,
        wanted,
        (connection, step) -> connection.ask(say -> request.apply(step.apply(say))));
  }

  /**
   * Asks the same through a {@link Question}; asks another server where one that told nothing is
   * lost.
   */
  <R extends Reply> R ask(RemoteIndex index, byte[] key, Class<R> wanted, Question question) {
    checkUsable();
    for (int attempt = 1; ; attempt++) {
      Connection connection = link.connect(index, key);
      boolean first = !link.isBegun();
      try {
        Reply reply = exchange(connection, index, question);
        if (first && reply instanceof Reply.Failure failure) {
          // The server has no transaction now, and its writes will go along with the next request.
          if (failure.code() == ErrorCode.UNKNOWN_SNAPSHOT.number() && link.hasAnotherSnapshot()) {
            link.unbegun();
            continue;
          }
          if (!Link.isElsewhere(failure)) {
            link.unbegun();
            throw counted(Replies.failure(failure, id));
          }
          link.elsewhere(attempt, null);
          continue;
        }
        toldPending();
        noteMoved(index, reply, first);
        return checked(reply, wanted);
      } catch (LostConnectionException e) {
        if (!first) {
          throw failed(e);
        }
        link.elsewhere(attempt, e);
      } catch (CanopyException e) {
        throw e.transactionId() == null ? named(e, CommitState.NOT_COMMITTED) : e;
      }
    }
  }

  private Reply exchange(Connection connection, RemoteIndex index, Question question)
      throws LostConnectionException {
    remoteRequests++;
    index.counters().requested();
    List<Step.Write> writes = pending;
    CompletableFuture<Answer> answer = question.ask(connection, say -> link.step(say, writes));
    link.begun();
    Answer got = Replies.await(answer, how.deadlineNanos());
    saw(got.known());
    return got.reply();
  }

  /** A server has taken all writes so far. */
  private void toldPending() {
    if (!pending.isEmpty()) {
      pending = new ArrayList<>();
      pendingBytes = 0;
    }
  }

  private <R extends Reply> R checked(Reply reply, Class<R> wanted) {
    if (wanted.isInstance(reply)) {
      return wanted.cast(reply);
    }
    if (reply instanceof Reply.Failure failure) {
      throw counted(Replies.failure(failure, id));
    }
    throw Replies.notAnAnswer(reply, id);
  }

  /** Notes a wrong choice of the server, which only the key of that choice can tell. */
  private void noteMoved(RemoteIndex index, Reply reply, boolean first) {
    if (first && reply instanceof Reply.InTransaction said && said.seen().moved()) {
      redirects++;
      index.counters().redirected();
      cluster.routing().moved(index);
    }
  }

  /** The next page of a cursor; the writes since the last one go along with the question. */
  Reply.Page nextPage(RemoteIndex index, Pages pages) {
    checkUsable();
    Connection connection = link.connect(index, new byte[0]);
    try {
      Reply reply =
          exchange(
              connection,
              index,
              (c, step) -> {
                c.say(pages, new Request.More(step.apply(Function.identity()), 1));
                return pages.take();
              });
      toldPending();
      return checked(reply, Reply.Page.class);
    } catch (LostConnectionException e) {
      throw failed(e);
    } catch (CanopyException e) {
      throw e.transactionId() == null ? named(e, CommitState.NOT_COMMITTED) : e;
    }
  }

  /** A cursor has ended by itself. */
  void forget(Pages cursor) {
    cursors.remove(cursor);
  }

  void opened(Pages cursor) {
    cursors.add(cursor);
  }

  void close(Pages cursor) {
    cursors.remove(cursor);
    Connection connection = link.connection();
    if (connection != null) {
      connection.close(cursor, false);
    }
  }

  /** Closes the cursors of a transaction that has ended. */
  void closeCursors() {
    Connection connection = link.connection();
    if (connection != null) {
      cursors.forEach(cursor -> connection.close(cursor, true));
    }
    cursors.clear();
  }

  /** Ends the transaction without effect, from another thread. */
  void cutOff(ErrorCode code, String why) {
    cutOff = failure(code, why, null);
    link.end();
  }

  /** The reason why the handle has ended the transaction where there is one, else the error. */
  CanopyException orCutOff(CanopyException e) {
    CanopyException why = cutOff;
    return why != null && e.commitState() == CommitState.NOT_COMMITTED ? why : e;
  }

  /** The index by whose key the commit finds its server. */
  RemoteIndex firstIndex() {
    return indexes.get(0);
  }

  /** The index with this number. */
  RemoteIndex indexOf(int number) {
    for (RemoteIndex index : indexes) {
      if (index.number(how.grid()) == number) {
        return index;
      }
    }
    return firstIndex();
  }

  void countRequest(RemoteIndex index) {
    remoteRequests++;
    index.counters().requested();
  }

  void noteCommitMoved(RemoteIndex index, Reply reply) {
    noteMoved(index, reply, true);
  }

  /** Refuses what is asked for a transaction whose time is over, or whose handle is closed. */
  void checkUsable() {
    CanopyException why = cutOff;
    if (why != null) {
      throw why;
    }
    if (cluster.servers().isClosed()) {
      throw failure(ErrorCode.CANOPY_CLOSED, "the handle is closed", null);
    }
    if (how.deadlineNanos() - System.nanoTime() <= 0) {
      throw failure(ErrorCode.TIMEOUT, "the transaction's time was over", null);
    }
  }

  /** A lost connection, after which this attempt is over but another one can succeed. */
  CanopyException failed(LostConnectionException e) {
    if (cluster.servers().isClosed()) {
      return failure(ErrorCode.CANOPY_CLOSED, "the handle is closed", e);
    }
    CanopyException why = cutOff;
    return why != null ? why : Replies.lost(e, id);
  }

  CanopyException failure(ErrorCode code, String detail, @Nullable Throwable cause) {
    return new CanopyException(code, detail, CommitState.NOT_COMMITTED, id, cause);
  }

  /** An error outside of transactions as one of this one. */
  CanopyException named(CanopyException e, CommitState state) {
    return e.code() == ErrorCode.NOT_CONNECTED
        ? e
        : new CanopyException(e.code(), e.detail(), state, id, e, e.facts());
  }

  /** Counts an error at the index that it names. */
  CanopyException counted(CanopyException e) {
    String name = e.facts().get("index");
    for (RemoteIndex index : indexes) {
      if (index.name().equals(name)) {
        index.counters().aborted(e.code());
      }
    }
    cluster.heard(e, how);
    return e;
  }
}
