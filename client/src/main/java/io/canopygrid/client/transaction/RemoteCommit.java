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
      CommitId name = named ? cluster.names().next(connection, index.routes().shardOf(key)) : null;
      @Nullable VectorClock committed = attempt(connection, index, writes, name, blind);
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
      Connection connection,
      RemoteIndex index,
      List<Step.Write> writes,
      @Nullable CommitId name,
      boolean blind) {
    try {
      transaction.countRequest(index);
      List<CommitId> forget = cluster.names().forgettable();
      var asked = connection.ask(say -> new Request.Commit(link.step(say, writes), name, forget));
      link.committing();
      Answer answer = Replies.await(asked, transaction.how().deadlineNanos());
      if (blind) {
        transaction.noteCommitMoved(index, answer.reply());
      }
      return answered(connection, answer, name, blind);
    } catch (LostConnectionException e) {
      if (!e.sent() || name == null) {
        return again(blind, transaction.failed(e));
      }
      return resolved(connection, name, blind, transaction.failed(e));
    } catch (CanopyException e) {
      if (e.transactionId() != null) {
        throw e;
      }
      return unanswered(connection, name, e);
    }
  }

  private @Nullable VectorClock answered(
      Connection connection, Answer answer, @Nullable CommitId name, boolean blind) {
    if (answer.reply() instanceof Reply.Done) {
      if (name != null) {
        cluster.names().answered(name);
      }
      return answer.known();
    }
    if (!(answer.reply() instanceof Reply.Failure failure)) {
      CanopyException e = Replies.notAnAnswer(answer.reply(), transaction.id());
      if (name == null) {
        throw e;
      }
      return resolved(connection, name, false, e);
    }
    CanopyException e = Replies.failure(failure, transaction.id());
    if (e.commitState() == CommitState.UNKNOWN && name != null) {
      return resolved(connection, name, false, e);
    }
    if (blind && Link.isElsewhere(failure)) {
      return null;
    }
    throw transaction.counted(e);
  }

  /** Ends a wait that was too long, or was interrupted. */
  private VectorClock unanswered(
      Connection connection, @Nullable CommitId name, CanopyException e) {
    if (e.code() != ErrorCode.TIMEOUT || name == null) {
      throw transaction.named(e, name == null ? CommitState.NOT_COMMITTED : CommitState.UNKNOWN);
    }
    @Nullable VectorClock committed =
        resolved(connection, name, false, transaction.named(e, CommitState.NOT_COMMITTED));
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
      Connection connection, CommitId name, boolean blind, CanopyException otherwise) {
    if (cluster.servers().isClosed()) {
      throw new CanopyException(
          ErrorCode.CANOPY_CLOSED,
          "the handle was closed during the commit",
          CommitState.UNKNOWN,
          transaction.id(),
          otherwise);
    }
    Reply.Outcome outcome =
        cluster.outcomes().find(name, transaction.how().grid(), connection.address());
    return switch (outcome.state()) {
      case COMMITTED -> transaction.clock().join(outcome.seen());
      case NOT_COMMITTED -> again(blind, asNotCommitted(otherwise));
      case UNKNOWN ->
          throw new CanopyException(
              ErrorCode.COMMIT_UNKNOWN,
              "the connection to "
                  + connection.address()
                  + " was lost during the commit, and nobody could tell its outcome"
                  + cluster.grid().whyUnknown(transaction.how().grid()),
              CommitState.UNKNOWN,
              transaction.id(),
              otherwise);
    };
  }

  private static @Nullable VectorClock again(boolean blind, CanopyException otherwise) {
    if (blind && otherwise.code() == ErrorCode.NOT_CONNECTED) {
      return null;
    }
    throw otherwise;
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
