package io.canopygrid.client;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.client.netty.Answer;
import io.canopygrid.client.netty.Connection;
import io.canopygrid.client.netty.LostConnectionException;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.wire.CommitId;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The commit of one transaction. When its connection is lost before the answer, the cluster is
 * asked what became of it; asking also prevents one that is still on its way, so that what is
 * reported then stays true. Confined to the transaction's thread.
 */
final class RemoteCommit {
  private final RemoteEngine engine;
  private final RemoteTransaction transaction;
  private final Link link;

  RemoteCommit(RemoteEngine engine, RemoteTransaction transaction, Link link) {
    this.engine = engine;
    this.transaction = transaction;
    this.link = link;
  }

  /**
   * Commits or throws why not.
   *
   * @param writes what no server has been told of
   * @param named whether anything was written at all, so that the outcome matters
   * @return what one must see to see it
   */
  VectorClock run(List<Step.Write> writes, boolean named) {
    RemoteIndex index =
        writes.isEmpty() ? transaction.firstIndex() : transaction.indexOf(writes.get(0).index());
    byte[] key = writes.isEmpty() ? new byte[0] : writes.get(0).key();
    for (int attempt = 1; ; attempt++) {
      // Once a server knows of the transaction it cannot be sent to another one.
      boolean blind = !link.isBegun();
      Connection connection = link.connect(index, key);
      CommitId name = named ? engine.names().next(connection, index.routes().shardOf(key)) : null;
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

  /** The clock, or null: it is certainly not committed, and can be sent to another server. */
  private @Nullable VectorClock attempt(
      Connection connection,
      RemoteIndex index,
      List<Step.Write> writes,
      @Nullable CommitId name,
      boolean blind) {
    try {
      transaction.countRequest(index);
      List<CommitId> forget = engine.names().forgettable();
      var asked = connection.ask(say -> new Request.Commit(link.step(say, writes), name, forget));
      link.committing();
      Answer answer = Exchange.await(asked, transaction.how().deadlineNanos());
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
        engine.names().answered(name);
      }
      return answer.known();
    }
    if (!(answer.reply() instanceof Reply.Failure failure)) {
      throw Exchange.notAnAnswer(answer.reply(), transaction.id());
    }
    CanopyException e = Exchange.failure(failure, transaction.id());
    if (e.commitState() == CommitState.UNKNOWN && name != null) {
      return resolved(connection, name, false, e);
    }
    if (blind && Link.isElsewhere(failure)) {
      return null;
    }
    throw transaction.counted(e);
  }

  /** This client has not waited any longer: for its time, or because it was interrupted. */
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
   * Asks what became of it.
   *
   * @param otherwise what is thrown if it was not committed and cannot be sent again
   */
  private @Nullable VectorClock resolved(
      Connection connection, CommitId name, boolean blind, CanopyException otherwise) {
    if (engine.servers().isClosed()) {
      throw new CanopyException(
          ErrorCode.CANOPY_CLOSED,
          "the handle was closed during the commit",
          CommitState.UNKNOWN,
          transaction.id(),
          otherwise);
    }
    Reply.Outcome outcome = new OutcomeSearch(engine).find(name, connection.address());
    return switch (outcome.state()) {
      case COMMITTED -> transaction.clock().join(outcome.seen());
      case NOT_COMMITTED -> again(blind, asNotCommitted(otherwise));
      case UNKNOWN ->
          throw new CanopyException(
              ErrorCode.COMMIT_UNKNOWN,
              "the connection to "
                  + connection.address()
                  + " was lost during the commit, and nobody could tell its outcome",
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
