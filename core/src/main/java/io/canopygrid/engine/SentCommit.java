package io.canopygrid.engine;

import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.wire.CommitId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A commit, or a call of a function, that a client sends to a server over a connection that can be
 * lost: the rules by which the client goes on. They know nothing of connections, so that a
 * simulated client goes by the same ones. Immutable.
 *
 * @param name by which its outcome can be looked up; null: it writes nothing, and nobody looks
 * @param movable whether it may be sent to another server once it is certain that it has not
 *     happened and never will: no server knows of its transaction
 */
public record SentCommit(@Nullable CommitId name, boolean movable) {
  /** The next thing that a client does. */
  public enum Next {
    /** Take it as committed. */
    TAKE,
    /** Look the outcome up by its name, which also prevents what is still on its way. */
    LOOK_UP,
    /** Send it to another server, under another name. */
    ELSEWHERE,
    /** Tell the caller. */
    FAIL
  }

  /**
   * The connection was lost before there was an answer.
   *
   * @param sent whether the server may have got it
   * @param why the error for the caller
   */
  public Next lost(boolean sent, ErrorCode why) {
    return sent && name != null ? Next.LOOK_UP : unhappened(why);
  }

  /**
   * The server has answered with an error.
   *
   * @param state of the commit, as the error says
   */
  public Next refused(ErrorCode code, CommitState state) {
    return state == CommitState.UNKNOWN && name != null ? Next.LOOK_UP : unhappened(code);
  }

  /** There was no answer in time, or none that can be understood. */
  public Next unanswered() {
    return name == null ? Next.FAIL : Next.LOOK_UP;
  }

  /** The same commit once the client will not send it again, whatever became of it. */
  public SentCommit settled() {
    return new SentCommit(name, false);
  }

  /**
   * The name to look up. Only a name that was given to this very commit tells what became of it.
   *
   * @throws NullPointerException where it has none
   */
  public CommitId toLookUp() {
    return Objects.requireNonNull(name);
  }

  /**
   * A look-up has ended.
   *
   * @param state UNKNOWN: nobody could tell
   * @param why the error for the caller, where it has not happened
   */
  public Next found(CommitState state, ErrorCode why) {
    return switch (state) {
      case COMMITTED -> Next.TAKE;
      case NOT_COMMITTED -> unhappened(why);
      case UNKNOWN -> Next.FAIL;
    };
  }

  private Next unhappened(ErrorCode why) {
    return movable && why == ErrorCode.NOT_CONNECTED ? Next.ELSEWHERE : Next.FAIL;
  }
}
