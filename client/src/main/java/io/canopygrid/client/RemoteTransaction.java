package io.canopygrid.client;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.client.netty.Answer;
import io.canopygrid.client.netty.Connection;
import io.canopygrid.client.netty.LostConnectionException;
import io.canopygrid.client.netty.Pages;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.EngineTransaction;
import io.canopygrid.engine.Mode;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One transaction at one server, which is chosen by the first key that it touches. It begins there
 * with its first request; writes go along with the next one, or with the commit. As long as it has
 * seen nothing it can begin again elsewhere.
 */
final class RemoteTransaction implements EngineTransaction {
  /** Writes of more bytes are sent ahead of the commit. */
  private static final int PENDING_BYTES_MAX = 1 << 20;

  private static final AtomicLong NUMBERS = new AtomicLong();

  private final RemoteEngine engine;
  private final Begin how;
  private final Link link;
  private final String id;
  private List<RemoteView> views = List.of();
  private final List<Pages> cursors = new ArrayList<>();

  /** Writes that no server has been told of. */
  private List<Step.Write> pending = new ArrayList<>();

  private long pendingBytes;
  private VectorClock clock;
  private int remoteRequests;
  private int redirects;
  private boolean ended;

  /** Why the handle has ended it; set by another thread. */
  private volatile @Nullable CanopyException cutOff;

  RemoteTransaction(RemoteEngine engine, Begin how) {
    this.engine = engine;
    this.how = how;
    this.link = new Link(engine, how);
    this.clock = how.after();
    this.id = engine.identity() + "-" + NUMBERS.incrementAndGet();
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public RemoteView on(OpenIndex index) {
    for (RemoteView view : views) {
      if (view.index() == index) {
        return view;
      }
    }
    if (views.isEmpty()) {
      views = new ArrayList<>(2);
    }
    RemoteView view = new RemoteView(this, (RemoteIndex) index);
    views.add(view);
    return view;
  }

  @Override
  public void countCommit() {
    for (RemoteView view : views) {
      view.index().counters().committed();
    }
  }

  @Override
  public VectorClock clock() {
    return clock;
  }

  @Override
  public String snapshot() {
    return link.snapshot();
  }

  @Override
  public int remoteRequests() {
    return remoteRequests;
  }

  @Override
  public int redirects() {
    return redirects;
  }

  Begin how() {
    return how;
  }

  /** Adds a write; sends those before it ahead where they have become many. */
  void write(RemoteIndex index, byte[] key, byte @Nullable [] value) {
    long bytes = key.length + (value == null ? 0 : value.length) + 16L;
    if (!pending.isEmpty() && pendingBytes + bytes > PENDING_BYTES_MAX) {
      ask(index, key, Request.Stage::new, Reply.Done.class);
    }
    pending.add(new Step.Write(index.number(), key, value));
    pendingBytes += bytes;
  }

  /** Something to be sent: gets the connection, and what makes the step when it is sent. */
  interface Question {
    CompletableFuture<Answer> ask(
        Connection connection, Function<Function<VectorClock, VectorClock>, Step> step);
  }

  /** Asks the transaction's server one thing, about a key by which it is chosen if it is not. */
  <R extends Reply> R ask(
      RemoteIndex index, byte[] key, Function<Step, Request> request, Class<R> wanted) {
    return ask(
        index,
        key,
        wanted,
        (connection, step) -> connection.ask(say -> request.apply(step.apply(say))));
  }

  /** The same, sent by the caller; sent to another server where one is lost that told nothing. */
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
            throw counted(Exchange.failure(failure, id));
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
    Answer got = Exchange.await(answer, how.deadlineNanos());
    clock = clock.join(got.known());
    return got.reply();
  }

  /** A server has taken all writes so far. */
  private void toldPending() {
    pending = new ArrayList<>();
    pendingBytes = 0;
  }

  private <R extends Reply> R checked(Reply reply, Class<R> wanted) {
    if (wanted.isInstance(reply)) {
      return wanted.cast(reply);
    }
    if (reply instanceof Reply.Failure failure) {
      throw counted(Exchange.failure(failure, id));
    }
    throw Exchange.notAnAnswer(reply, id);
  }

  /** Only the key that the server was chosen by says that the choice was wrong. */
  private void noteMoved(RemoteIndex index, Reply reply, boolean first) {
    if (first && reply instanceof Reply.InTransaction said && said.seen().moved()) {
      redirects++;
      index.counters().redirected();
      engine.moved(index);
    }
  }

  /** The next page of a cursor, which may go on, with what was written since. */
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

  /** It has ended by itself. */
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

  @Override
  public VectorClock commit() {
    try {
      if (!hasWrites() && (how.mode() != Mode.SERIALIZABLE || !link.isBegun())) {
        link.end();
        return clock;
      }
      checkUsable();
      if (Thread.currentThread().isInterrupted()) {
        throw failure(ErrorCode.INTERRUPTED, "the thread was interrupted before the commit", null);
      }
      clock = clock.join(new RemoteCommit(engine, this, link).run(pending, hasWrites()));
      return clock;
    } catch (CanopyException e) {
      throw cutOff != null && e.commitState() == CommitState.NOT_COMMITTED ? cutOff : e;
    } finally {
      finish();
    }
  }

  private boolean hasWrites() {
    for (RemoteView view : views) {
      if (view.hasWrites()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void end() {
    if (!ended) {
      link.end();
      finish();
    }
  }

  private void finish() {
    ended = true;
    Connection connection = link.connection();
    if (connection != null) {
      cursors.forEach(cursor -> connection.close(cursor, true));
    }
    cursors.clear();
  }

  @Override
  public void cutOff(ErrorCode code, String why) {
    cutOff = failure(code, why, null);
    link.end();
  }

  /** The index by whose key the commit finds its server. */
  RemoteIndex firstIndex() {
    return views.get(0).index();
  }

  /** The index with this number. */
  RemoteIndex indexOf(int number) {
    for (RemoteView view : views) {
      if (view.index().number() == number) {
        return view.index();
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

  /** Nothing is asked for a transaction whose time is over, or whose handle is closed. */
  private void checkUsable() {
    CanopyException why = cutOff;
    if (why != null) {
      throw why;
    }
    if (engine.servers().isClosed()) {
      throw failure(ErrorCode.CANOPY_CLOSED, "the handle is closed", null);
    }
    if (how.deadlineNanos() - System.nanoTime() <= 0) {
      throw failure(ErrorCode.TIMEOUT, "the transaction's time was over", null);
    }
  }

  /** A lost connection, after which this attempt is over but another one can succeed. */
  CanopyException failed(LostConnectionException e) {
    if (engine.servers().isClosed()) {
      return failure(ErrorCode.CANOPY_CLOSED, "the handle is closed", e);
    }
    CanopyException why = cutOff;
    return why != null ? why : Exchange.lost(e, id);
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
    for (RemoteView view : views) {
      if (view.index().name().equals(name)) {
        view.index().counters().aborted(e.code());
      }
    }
    return e;
  }
}
