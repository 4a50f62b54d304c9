package io.canopygrid.btree.embedded;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.LostCallException;
import io.canopygrid.spi.Backoff;
import io.canopygrid.spi.Begin;
import io.canopygrid.spi.FunctionRequest;
import io.canopygrid.spi.FunctionResult;
import io.canopygrid.spi.FunctionRights;
import io.canopygrid.spi.Shipping;
import io.canopygrid.spi.Statistics;
import io.canopygrid.wire.client.CommitId;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Has functions run at the node that has their place. A call has a name, that of its commit. Where
 * the other node is lost, or the time is over, the name tells what became of it; asking also
 * prevents it where it has not happened, so that it can be sent anew, under another name, to
 * whoever has the place then. Thread-safe.
 */
final class FunctionCalls {
  /** The other node says itself that the time is over; it is waited for that a little. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A node that was lost so often is not asked again: this node does it itself. */
  private static final int LOST_MAX = 2;

  private static final Backoff AGAIN = new Backoff(2_000_000, 100_000_000);

  private final EmbeddedEngine engine;
  private final GmuNode node;
  private final NodeQuestions questions;
  private final CommitLedger ledger;
  private final FunctionServing serving;
  private final UUID identity = UUID.randomUUID();
  private final AtomicLong numbers = new AtomicLong();
  private final FunctionNamesDone done = new FunctionNamesDone();

  /** What is run here for a lost node; the handle counts it itself. */
  private final Statistics uncounted = new Statistics();

  FunctionCalls(
      EmbeddedEngine engine,
      GmuNode node,
      NodeQuestions questions,
      CommitLedger ledger,
      FunctionServing serving) {
    this.engine = engine;
    this.node = node;
    this.questions = questions;
    this.ledger = ledger;
    this.serving = serving;
  }

  /** What a function gave at another node; null: its place is at this one, or it has none. */
  @Nullable FunctionResult execute(FunctionRequest request) {
    FunctionRequest.At at = request.at();
    if (at == null) {
      return null;
    }
    IndexRef index = (IndexRef) at.index();
    NodeId owner = engine.ownerOf(index, at.key());
    return owner != null && Shipping.of(true, owner, node.self()) == Shipping.TO_OWNER
        ? new Call(request, index, at.key()).run(owner)
        : null;
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
          System.currentTimeMillis(),
          numbers.incrementAndGet(),
          Math.max(0, engine.shardOf(index, key)));
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
        to = engine.ownerOf(index, key);
      }
      return plus(
          serving.run(toSend(List.of()), request.how().after(), FunctionRights.ALL, uncounted));
    }

    /** Null: the node is lost, and has not done it. */
    private @Nullable FunctionResult ask(NodeId to) {
      asked++;
      index.counters().requested();
      List<CommitId> forget = done.of(to);
      CompletableFuture<byte[]> answer =
          questions.ask(to, NodeQuestions.Kind.FUNCTION, FunctionFrames.encode(toSend(forget)));
      try {
        return answered(to, FunctionFrames.decodeReply(await(answer)));
      } catch (ExecutionException e) {
        if (e.getCause() instanceof LostCallException lost) {
          return settled(String.valueOf(lost.getMessage()), lost);
        }
        throw new CanopyException(ErrorCode.INTERNAL_ERROR, "a call failed: " + e.getCause(), e);
      } catch (TimeoutException e) {
        return settledOrFailed(ErrorCode.TIMEOUT, "node " + to + " did not answer in time", e);
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

    private FunctionResult answered(NodeId to, Reply reply) {
      if (reply instanceof Reply.Result result) {
        done.add(to, name);
        return plus(
            new FunctionResult(result.result(), result.seen().clock(), result.remoteRequests(), 0));
      }
      if (!(reply instanceof Reply.Failure failure)) {
        throw new CanopyException(ErrorCode.INTERNAL_ERROR, "not the answer to a call: " + reply);
      }
      CanopyException e = failure.toException();
      if (e.commitState() == CommitState.UNKNOWN) {
        return settledOrFailed(e.code(), e.detail(), e);
      }
      throw e;
    }

    private FunctionResult plus(FunctionResult result) {
      return new FunctionResult(
          result.bytes(), result.clock(), result.remoteRequests() + asked, result.redirects());
    }

    private FunctionResult settledOrFailed(ErrorCode code, String why, Throwable cause) {
      FunctionResult result = settled(why, cause);
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

    /** What it gave where it has happened; null: it has not, and never will. */
    private @Nullable FunctionResult settled(String why, Throwable cause) {
      CommitLedger.Settled settled;
      try {
        settled = ledger.lookUp(name);
      } catch (CanopyException e) {
        throw e;
      } catch (RuntimeException e) {
        throw Failures.ofNode(e, null);
      }
      return switch (settled.state()) {
        case COMMITTED -> plus(new FunctionResult(settled.result(), settled.seen(), 0, 0));
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

    private Request.Execute toSend(List<CommitId> forget) {
      Begin how = request.how();
      long millis = TimeUnit.NANOSECONDS.toMillis(how.deadlineNanos() - node.threads().nanoTime());
      return new Request.Execute(
          new Step.Begin(
              Step.Mode.valueOf(how.mode().name()),
              how.readFrom(),
              Math.max(1, millis),
              how.label(),
              "",
              how.after()),
          request.attemptsMax(),
          request.function(),
          new Request.Place(index.number(), key),
          request.arguments(),
          name,
          forget);
    }
  }
}
