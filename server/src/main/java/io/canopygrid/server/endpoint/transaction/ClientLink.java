package io.canopygrid.server.endpoint.transaction;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.server.endpoint.access.Access;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.SeenClock;
import java.util.function.Function;

/**
 * The part of a client's connection that its transactions and functions use. For any thread, where
 * a method says nothing else.
 */
public interface ClientLink {
  /** The rights of the client's user. */
  Access access();

  /** The client's user and address, for the log. */
  String client();

  /** The part of a vector clock that the client has seen; on the event loop. */
  SeenClock seen();

  /** Sends an answer with the entries of the clock that are new to the client. */
  void answer(int stream, VectorClock clock, Function<VectorClock, Reply> reply);

  /** Sends an error. */
  void fail(int stream, CanopyException e);

  /** Closes the connection for a reason, which the client is told; on the event loop. */
  void goodbye(ErrorCode code, String why);

  /** Runs a task on the connection's event loop. */
  void onLoop(Runnable task);

  /** The same task, which counts as waiting from now until it has run; on the event loop. */
  Runnable counted(int bytes, Runnable task);

  /** Runs a task on a worker as soon as one is free. */
  void schedule(Runnable task);

  /** Whether the client takes its answers. */
  boolean takesAnswers();

  /**
   * Keeps a task back while the client does not take its answers, and schedules it when the client
   * does.
   *
   * @return false: the client takes its answers, and the task is not kept
   */
  boolean park(Runnable task);

  /** Whether an error says that what was said on the connection names commits that are lost. */
  static boolean namesLostCommits(CanopyException e) {
    return LostClocks.isOf(e);
  }

  /** The error that the client is told where the server itself is wrong. */
  static CanopyException unexpected(RuntimeException e, CommitState state) {
    return new CanopyException(ErrorCode.INTERNAL_ERROR, e.toString(), state, null, e);
  }
}
