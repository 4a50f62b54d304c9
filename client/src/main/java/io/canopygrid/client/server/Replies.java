package io.canopygrid.client.server;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.client.netty.Answer;
import io.canopygrid.client.netty.LostConnectionException;
import io.canopygrid.wire.client.Reply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits for answers, and makes errors of replies that are none. */
public final class Replies {
  /**
   * The time that a client waits longer than the deadline, since the server says itself that the
   * time is over.
   */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private Replies() {}

  /**
   * Waits for an answer.
   *
   * @throws CanopyException {@link ErrorCode#TIMEOUT}, {@link ErrorCode#INTERRUPTED}, both without
   *     a transaction
   */
  public static Answer await(CompletableFuture<Answer> answer, long deadlineNanos)
      throws LostConnectionException {
    try {
      long nanos = Math.max(0, deadlineNanos - System.nanoTime()) + GRACE_NANOS;
      return answer.get(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CanopyException(
          ErrorCode.INTERRUPTED, "the thread was interrupted while it waited for a server", e);
    } catch (TimeoutException e) {
      throw new CanopyException(ErrorCode.TIMEOUT, "the server did not answer in time", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof LostConnectionException lost) {
        throw lost;
      }
      throw new CanopyException(
          ErrorCode.INTERNAL_ERROR, "a connection failed: " + e.getCause(), e);
    }
  }

  /** A connection was lost before anything was sent to be committed. */
  public static CanopyException lost(LostConnectionException e, @Nullable String id) {
    return new CanopyException(
        e.code(), "the connection was lost: " + e.getMessage(), CommitState.NOT_COMMITTED, id, e);
  }

  /** The error for a reply that a server must not send here. */
  public static CanopyException notAnAnswer(Reply reply, @Nullable String id) {
    return new CanopyException(
        ErrorCode.PROTOCOL_ERROR,
        "the server answered with " + reply.getClass().getSimpleName(),
        CommitState.NOT_COMMITTED,
        id,
        null);
  }

  /** A server's error as one of this client's transaction; the server's own is the cause. */
  public static CanopyException failure(Reply.Failure failure, String id) {
    CanopyException said = failure.toException();
    return new CanopyException(
        said.code(), said.detail(), said.commitState(), id, said, said.facts());
  }
}
