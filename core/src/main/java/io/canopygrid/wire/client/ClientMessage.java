package io.canopygrid.wire.client;

/**
 * A message between a client and a server: a {@code Request}, a {@code Reply}, or one that either
 * side sends. Immutable; arrays in messages are kept as they are given and must not change.
 */
public interface ClientMessage {
  /** A message that either side sends, about the connection as a whole: on stream 0. */
  sealed interface EitherWay extends ClientMessage {}

  /** Asks for a {@link Pong} with the same number. Answered in any state, also before Hello. */
  record Ping(long number) implements EitherWay {}

  /** Answers a {@link Ping}. */
  record Pong(long number) implements EitherWay {}

  /**
   * The last thing said before the connection is closed.
   *
   * @param code the reason; {@link io.canopygrid.ErrorCode#CANOPY_CLOSED} where nothing is wrong
   * @param text what happened, in words
   */
  record Goodbye(int code, String text) implements EitherWay {}
}
