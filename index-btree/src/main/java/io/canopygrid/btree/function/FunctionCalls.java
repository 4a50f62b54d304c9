package io.canopygrid.btree.function;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.catalog.KeyPlaces;
import io.canopygrid.btree.ledger.CommitLedger;
import io.canopygrid.btree.ledger.CommitOutcome;
import io.canopygrid.btree.question.NodeQuestions;
import io.canopygrid.engine.Backoff;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.FunctionRequest;
import io.canopygrid.engine.FunctionResult;
import io.canopygrid.function.FunctionRights;
import io.canopygrid.function.Shipping;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.LostCallException;
import io.canopygrid.transaction.Statistics;
import io.canopygrid.wire.CommitId;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Sends functions to the node that has their place. A call has a name, that of its commit. Where
 * the other node is lost, or the time is over, the outcome of the call is looked up by the name.
 * The look-up also prevents a call that has not happened. So the call can be sent anew, under
 * another name, to the node that has the place then. Thread-safe.
 */
public final class FunctionCalls {
  /** The wait beyond the deadline: the other node says itself that the time is over. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** After so many lost nodes this node runs the function itself. */
  private static final int LOST_MAX = 2;

  private static final Backoff AGAIN = new Backoff(2_000_000, 100_000_000);

  private final GmuNode node;
  private final KeyPlaces places;
  private final NodeQuestions questions;
  private final CommitLedger ledger;
  private final FunctionServing serving;
  private final UUID identity;
  private final AtomicLong numbers = new AtomicLong();
  private final CompletedCalls done = new CompletedCalls();

  /** For functions run here in place of a lost node: the handle counts them itself. */
  private final Statistics uncounted = new Statistics();

  /**
   * The calls of one node.
   *
   * @param identity the node's in the names of its calls, which no other node ever has
   */
  public FunctionCalls(
      GmuNode node,
      KeyPlaces places,
      NodeQuestions questions,
      CommitLedger ledger,
      FunctionServing serving,
      UUID identity) {
    this.node = node;
    this.places = places;
    this.questions = questions;
    this.ledger = ledger;
    this.serving = serving;
    this.identity = identity;
  }

  /** The result of a function at another node; null: its place is here, or it has none. */
  public @Nullable FunctionResult execute(FunctionRequest request) {
    FunctionRequest.At at = request.at();
    if (at == null) {
      return null;
    }
    IndexRef index = (IndexRef) at.index();
    NodeId owner = places.primaryOf(index, at.key());
    if (owner == null || Shipping.of(true, owner, node.self()) != Shipping.TO_OWNER) {
      return null;
    }
    requireKept(request.how());
    return new Call(request, index, at.key()).run(owner);
  }

  /** The other node is sent the join of both clocks, which may hide what is lost of one. */
  private void requireKept(Begin how) {
    try {
      node.requireKept(how.seen());
      node.requireKept(how.token());
    } catch (RuntimeException e) {
      throw Failures.ofNode(e, null);
    }
  }

  /** One call. Confined to its thread. */
  private final class Call {
    private final FunctionRequest request;
    private final IndexRef index;
    private final byte[] key;
    private CommitId name;
    private int asked;

    Call(FunctionRequest request, IndexRef index, byte[] key) {
      this.request = request;
      this.index = index;
      this.key = key;
      this.name = nextName();
    }

    private CommitId nextName() {
      return new CommitId(
          identity,
          ledger.millis(),
          numbers.incrementAndGet(),
          Math.max(0, places.shardOf(index, key)));
    }

    FunctionResult run(NodeId first) {
      NodeId to = first;
      while (to != null && !to.equals(node.self()) && asked < LOST_MAX) {
        FunctionResult result = ask(to);
        if (result != null) {
          return result;
        }
        AGAIN.pause(asked, request.how().deadlineNanos(), node.threads());
        if (request.how().deadlineNanos() - node.threads().nanoTime() <= 0) {
          throw notCommitted(ErrorCode.TIMEOUT, "the time was over after a node was lost", null);
        }
        name = nextName();
        to = places.primaryOf(index, key);
      }
      return plus(serving.run(toSend(List.of()), FunctionRights.ALL, uncounted, null));
    }

    /** Null: the node is lost, and has not run the function. */
    private @Nullable FunctionResult ask(NodeId to) {
      asked++;
      index.counters().requested();
      List<CommitId> forget = done.of(to);
      CompletableFuture<byte[]> answer =
          questions.ask(to, NodeQuestions.Kind.FUNCTION, CallCodec.encode(toSend(forget)));
      try {
        return answered(to, CallCodec.decodeAnswer(await(answer)));
      } catch (ExecutionException e) {
        if (e.getCause() instanceof LostCallException lost) {
          return outcome(String.valueOf(lost.getMessage()), lost);
        }
        throw new CanopyException(ErrorCode.INTERNAL_ERROR, "a call failed: " + e.getCause(), e);
      } catch (TimeoutException e) {
        return outcomeOrFailure(ErrorCode.TIMEOUT, "node " + to + " did not answer in time", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CanopyException(
            ErrorCode.INTERRUPTED,
            "the thread was interrupted while a function was run",
            CommitState.UNKNOWN,
            null,
            e);
      }
    }

    private byte[] await(CompletableFuture<byte[]> answer)
        throws ExecutionException, TimeoutException, InterruptedException {
      try {
        long left = request.how().deadlineNanos() - node.threads().nanoTime();
        return answer.get(Math.max(0, left) + GRACE_NANOS, TimeUnit.NANOSECONDS);
      } finally {
        answer.cancel(false);
      }
    }

    private FunctionResult answered(NodeId to, CallAnswer answer) {
      if (answer instanceof CallAnswer.Result result) {
        done.add(to, name);
        return plus(new FunctionResult(result.bytes(), result.clock(), result.remoteRequests(), 0));
      }
      CanopyException e = ((CallAnswer.Failure) answer).error();
      if (e.commitState() == CommitState.UNKNOWN) {
        return outcomeOrFailure(e.code(), e.detail(), e);
      }
      throw e;
    }

    private FunctionResult plus(FunctionResult result) {
      return new FunctionResult(
          result.bytes(), result.clock(), result.remoteRequests() + asked, result.redirects());
    }

    private FunctionResult outcomeOrFailure(ErrorCode code, String why, Throwable cause) {
      FunctionResult result = outcome(why, cause);
      if (result == null) {
        throw notCommitted(
            code == ErrorCode.COMMIT_UNKNOWN ? ErrorCode.SHARD_UNAVAILABLE : code, why, cause);
      }
      return result;
    }

    private CanopyException notCommitted(ErrorCode code, String why, @Nullable Throwable cause) {
      return new CanopyException(
          code, why + "; it was not committed", CommitState.NOT_COMMITTED, null, cause);
    }

    /** The result of a call that has happened; null: it has not happened, and never will. */
    private @Nullable FunctionResult outcome(String why, Throwable cause) {
      CommitOutcome outcome = ledger.lookUp(name);
      return switch (outcome.state()) {
        case COMMITTED -> plus(new FunctionResult(outcome.result(), outcome.seen(), 0, 0));
        case NOT_COMMITTED -> null;
        case UNKNOWN ->
            throw new CanopyException(
                ErrorCode.COMMIT_UNKNOWN,
                why + ", and nobody could tell the outcome",
                CommitState.UNKNOWN,
                null,
                cause);
      };
    }

    private NamedCall toSend(List<CommitId> forget) {
      Begin how = request.how();
      long millis = TimeUnit.NANOSECONDS.toMillis(how.deadlineNanos() - node.threads().nanoTime());
      return new NamedCall(
          request.function(),
          request.arguments(),
          new NamedCall.Place(index.number(), key),
          new NamedCall.How(
              how.mode(), how.readFrom(), Math.max(1, millis), how.label(), how.after()),
          request.attemptsMax(),
          name,
          forget);
    }
  }
}
