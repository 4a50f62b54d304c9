package io.canopygrid.client.transaction;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.client.netty.Answer;
import io.canopygrid.client.netty.Connection;
import io.canopygrid.client.netty.LostConnectionException;
import io.canopygrid.client.server.ClusterView;
import io.canopygrid.client.server.RemoteIndex;
import io.canopygrid.client.server.Replies;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Backoff;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.FunctionRequest;
import io.canopygrid.engine.FunctionResult;
import io.canopygrid.engine.Pace;
import io.canopygrid.engine.SentCommit;
import io.canopygrid.wire.CommitId;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call of a function. When the connection is lost, the client asks the cluster for the outcome
 * of the call by its name. The question also prevents a call that has not happened, so that it can
 * be sent anew, under another name, to another server. Confined to one thread.
 */
public final class RemoteFunction {
  private static final Backoff AGAIN = new Backoff(2_000_000, 250_000_000);

  private final ClusterView cluster;
  private final FunctionRequest request;
  private final Begin how;
  private final @Nullable RemoteIndex index;
  private final byte[] key;

  /** A call can be sent to any server, again and again, as long as it has not happened. */
  private SentCommit sent = new SentCommit(null, true);

  private int requests;
  private int redirects;

  /** A call that has not been sent. */
  public RemoteFunction(ClusterView cluster, FunctionRequest request) {
    FunctionRequest.At at = request.at();
    this.cluster = cluster;
    this.request = request;
    this.how = request.how();
    this.index = at == null ? null : (RemoteIndex) at.index();
    this.key = at == null ? new byte[0] : at.key();
  }

  /** Sends the call, and waits for the result. */
  public FunctionResult run() {
    if (index != null) {
      cluster.indexes().require(index, how.grid());
    }
    String avoid = "";
    for (int attempt = 1; ; attempt++) {
      CanopyException why;
      sent = new SentCommit(null, true);
      try {
        Connection connection = connect(avoid);
        avoid = connection.address();
        FunctionResult result = asked(connection);
        if (result != null) {
          return result;
        }
        why = new CanopyException(ErrorCode.NOT_CONNECTED, avoid + " is about to stop");
      } catch (LostConnectionException e) {
        why = Replies.lost(e, null);
        checkOpen(why, e.sent());
        FunctionResult result =
            sent.lost(e.sent(), why.code()) == SentCommit.Next.LOOK_UP ? settled(avoid, why) : null;
        if (result != null) {
          return result;
        }
      }
      AGAIN.pause(attempt, how.deadlineNanos(), Pace.MACHINE);
      if (why.code() != ErrorCode.NOT_CONNECTED
          || how.deadlineNanos() - System.nanoTime() <= 0
          || Thread.currentThread().isInterrupted()) {
        throw why;
      }
    }
  }

  private void checkOpen(CanopyException why, boolean sent) {
    if (cluster.servers().isClosed()) {
      throw failed(
          ErrorCode.CANOPY_CLOSED,
          "the handle was closed",
          sent ? CommitState.UNKNOWN : CommitState.NOT_COMMITTED,
          why);
    }
  }

  private Connection connect(String avoid) {
    for (int attempt = 1; ; attempt++) {
      try {
        Connection chosen =
            avoid.isEmpty()
                ? cluster.servers().to(wish(), how.deadlineNanos())
                : cluster.servers().other(avoid, how.deadlineNanos());
        cluster.grid().check(how.grid(), chosen);
        return chosen;
      } catch (CanopyException e) {
        AGAIN.pause(attempt, how.deadlineNanos(), Pace.MACHINE);
        if (e.code() != ErrorCode.NOT_CONNECTED
            || how.deadlineNanos() - System.nanoTime() <= 0
            || Thread.currentThread().isInterrupted()) {
          throw e;
        }
      }
    }
  }

  private String wish() {
    if (index == null) {
      return "";
    }
    return cluster.routing().addressOf(index, key);
  }

  /** Null: the server is about to stop, and has done nothing. */
  private @Nullable FunctionResult asked(Connection connection) throws LostConnectionException {
    CommitId call =
        cluster
            .names()
            .next(connection.serverMillis(), index == null ? 0 : index.routes().shardOf(key));
    sent = new SentCommit(call, true);
    List<CommitId> forget = cluster.names().forgettable();
    requests++;
    if (index != null) {
      index.counters().requested();
    }
    var asked = connection.ask(say -> toSend(connection, call, forget, say));
    Answer answer;
    try {
      answer = Replies.await(asked, how.deadlineNanos());
    } catch (CanopyException e) {
      return unanswered(connection, e);
    }
    if (answer.reply() instanceof Reply.Result result) {
      return done(call, result, answer.known());
    }
    if (!(answer.reply() instanceof Reply.Failure failure)) {
      return unanswered(connection, Replies.notAnAnswer(answer.reply(), null));
    }
    CanopyException e = failure.toException();
    return switch (sent.refused(e.code(), e.commitState())) {
      case LOOK_UP -> unanswered(connection, e);
      case ELSEWHERE -> null;
      case TAKE, FAIL -> {
        cluster.heard(e, how);
        throw e;
      }
    };
  }

  /** Finds the outcome of a call without an answer, which is not sent again. */
  private FunctionResult unanswered(Connection connection, CanopyException e) {
    if (e.code() == ErrorCode.INTERRUPTED) {
      throw failed(e.code(), e.detail(), CommitState.UNKNOWN, e);
    }
    FunctionResult result = settled(connection.address(), e);
    if (result == null) {
      throw failed(
          e.code() == ErrorCode.COMMIT_UNKNOWN ? ErrorCode.NOT_CONNECTED : e.code(),
          e.detail() + "; it was not committed",
          CommitState.NOT_COMMITTED,
          e);
    }
    return result;
  }

  private FunctionResult done(CommitId call, Reply.Result result, VectorClock known) {
    cluster.names().answered(call);
    if (index != null && result.seen().moved()) {
      redirects++;
      index.counters().redirected();
      cluster.routing().moved(index);
    }
    return new FunctionResult(result.result(), known, requests, redirects);
  }

  /** The result of a call that has happened; null: the call has not happened and never will. */
  private @Nullable FunctionResult settled(String avoid, CanopyException why) {
    Reply.Outcome outcome = cluster.outcomes().find(sent.toLookUp(), how.grid(), avoid);
    byte[] result = outcome.result();
    return switch (sent.found(outcome.state(), ErrorCode.NOT_CONNECTED)) {
      case TAKE ->
          new FunctionResult(
              result == null ? new byte[0] : result,
              how.after().join(outcome.seen()),
              requests,
              redirects);
      case ELSEWHERE -> null;
      case LOOK_UP, FAIL ->
          throw failed(
              ErrorCode.COMMIT_UNKNOWN,
              "a function was sent, and nobody could tell what became of it: "
                  + why.detail()
                  + cluster.grid().whyUnknown(how.grid()),
              CommitState.UNKNOWN,
              why);
    };
  }

  private static CanopyException failed(
      ErrorCode code, String detail, CommitState state, CanopyException cause) {
    return new CanopyException(code, detail, state, cause.transactionId(), cause, cause.facts());
  }

  private Request.Execute toSend(
      Connection at, CommitId call, List<CommitId> forget, Function<VectorClock, VectorClock> say) {
    return new Request.Execute(
        Link.begin(how, at, "", say),
        request.attemptsMax(),
        request.function(),
        index == null ? null : new Request.Place(index.number(how.grid()), key),
        request.arguments(),
        call,
        forget);
  }
}
