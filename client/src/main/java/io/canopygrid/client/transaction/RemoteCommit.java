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
import io.canopygrid.engine.SentCommit;
import io.canopygrid.wire.CommitId;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The commit of one transaction. When the connection is lost before the answer, the client asks the
 * cluster for the outcome. The question also prevents a commit that is still on its way, so that
 * the reported outcome stays true. Confined to the transaction's thread.
 */
final class RemoteCommit {
  private final ClusterView cluster;
  private final Conversation transaction;
  private final Link link;

  RemoteCommit(Conversation transaction) {
    this.cluster = transaction.cluster();
    this.transaction = transaction;
    this.link = transaction.link();
  }

  /**
   * Commits or throws why not.
   *
   * @param writes those that no server has been told of
   * @param named whether anything was written at all, so that the outcome matters
   * @return the clock that a reader must have seen to see the commit
   */
  VectorClock run(List<Step.Write> writes, boolean named) {
    RemoteIndex index =
        writes.isEmpty() ? transaction.firstIndex() : transaction.indexOf(writes.get(0).index());
    byte[] key = writes.isEmpty() ? new byte[0] : writes.get(0).key();
    for (int attempt = 1; ; attempt++) {
      // Once a server knows of the transaction it cannot be sent to another one.
      boolean blind = !link.isBegun();
      Connection connection = link.connect(index, key);
      CommitId name =
          named
              ? cluster.names().next(connection.serverMillis(), index.routes().shardOf(key))
              : null;
      SentCommit sent = new SentCommit(name, blind);
      @Nullable VectorClock committed = attempt(connection, index, writes, sent);
      if (committed != null) {
        return committed;
      }
      link.elsewhere(attempt, null);
      if (transaction.how().deadlineNanos() - System.nanoTime() <= 0) {
        throw transaction.failure(
            ErrorCode.TIMEOUT,
            "the time was over after " + attempt + " servers were lost or left",
            null);
      }
    }
  }

  /**
   * The clock of the commit; null: the transaction is certainly not committed, and another server
   * can be asked.
   */
  private @Nullable VectorClock attempt(
      Connection connection, RemoteIndex index, List<Step.Write> writes, SentCommit sent) {
    CommitId name = sent.name();
    try {
      transaction.countRequest(index);
      List<CommitId> forget = cluster.names().forgettable();
      var asked = connection.ask(say -> new Request.Commit(link.step(say, writes), name, forget));
      link.committing();
      Answer answer = Replies.await(asked, transaction.how().deadlineNanos());
      if (sent.movable()) {
        transaction.noteCommitMoved(index, answer.reply());
      }
      return answered(connection, answer, sent);
    } catch (LostConnectionException e) {
      CanopyException why = transaction.failed(e);
      return go(sent.lost(e.sent(), why.code()), connection, sent, why);
    } catch (CanopyException e) {
      if (e.transactionId() != null) {
        throw e;
      }
      return unanswered(connection, sent, e);
    }
  }

  /** Goes on as the rules say after a commit without an answer. */
  private @Nullable VectorClock go(
      SentCommit.Next next, Connection connection, SentCommit sent, CanopyException why) {
    return switch (next) {
      case LOOK_UP -> resolved(connection, sent, why);
      case ELSEWHERE -> null;
      case TAKE, FAIL -> throw why;
    };
  }

  private @Nullable VectorClock answered(Connection connection, Answer answer, SentCommit sent) {
    CommitId name = sent.name();
    if (answer.reply() instanceof Reply.Done) {
      if (name != null) {
        cluster.names().answered(name);
      }
      return answer.known();
    }
    if (!(answer.reply() instanceof Reply.Failure failure)) {
      CanopyException e = Replies.notAnAnswer(answer.reply(), transaction.id());
      return go(sent.unanswered(), connection, sent.settled(), e);
    }
    CanopyException e = Replies.failure(failure, transaction.id());
    SentCommit.Next next = sent.refused(e.code(), e.commitState());
    if (next == SentCommit.Next.FAIL) {
      throw transaction.counted(e);
    }
    return go(next, connection, sent.settled(), e);
  }

  /** Ends a wait that was too long, or was interrupted. */
  private VectorClock unanswered(Connection connection, SentCommit sent, CanopyException e) {
    boolean named = sent.name() != null;
    if (e.code() != ErrorCode.TIMEOUT || sent.unanswered() != SentCommit.Next.LOOK_UP) {
      throw transaction.named(e, named ? CommitState.UNKNOWN : CommitState.NOT_COMMITTED);
    }
    @Nullable VectorClock committed =
        resolved(connection, sent.settled(), transaction.named(e, CommitState.NOT_COMMITTED));
    if (committed == null) {
      throw transaction.named(e, CommitState.NOT_COMMITTED);
    }
    return committed;
  }

  /**
   * Asks for the outcome.
   *
   * @param otherwise what is thrown if it was not committed and cannot be sent again
   */
  private @Nullable VectorClock resolved(
      Connection connection, SentCommit sent, CanopyException otherwise) {
    if (cluster.servers().isClosed()) {
      throw new CanopyException(
          ErrorCode.CANOPY_CLOSED,
          "the handle was closed during the commit",
          CommitState.UNKNOWN,
          transaction.id(),
          otherwise);
    }
    Reply.Outcome outcome =
        cluster.outcomes().find(sent.toLookUp(), transaction.how().grid(), connection.address());
    CanopyException not = asNotCommitted(otherwise);
    return switch (sent.found(outcome.state(), not.code())) {
      case TAKE -> transaction.clock().join(outcome.seen());
      case ELSEWHERE -> null;
      case LOOK_UP, FAIL -> {
        if (outcome.state() == CommitState.NOT_COMMITTED) {
          throw not;
        }
        throw new CanopyException(
            ErrorCode.COMMIT_UNKNOWN,
            "the connection to "
                + connection.address()
                + " was lost during the commit, and nobody could tell its outcome"
                + cluster.grid().whyUnknown(transaction.how().grid()),
            CommitState.UNKNOWN,
            transaction.id(),
            otherwise);
      }
    };
  }

  private CanopyException asNotCommitted(CanopyException e) {
    return e.commitState() == CommitState.NOT_COMMITTED
        ? e
        : new CanopyException(
            e.code() == ErrorCode.COMMIT_UNKNOWN ? ErrorCode.NOT_CONNECTED : e.code(),
            e.detail() + "; it was not committed",
            CommitState.NOT_COMMITTED,
            transaction.id(),
            e);
  }
}
