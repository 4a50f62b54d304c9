package io.canopygrid.client.netty;

import io.canopygrid.ErrorCode;
import io.canopygrid.wire.client.ClientMessage;

/** Makes errors of the last messages of servers. */
final class ClosingErrors {
  private ClosingErrors() {}

  static LostConnectionException meaning(ClientMessage.Goodbye goodbye) {
    ErrorCode said =
        ErrorCode.find(Integer.toString(goodbye.code())).orElse(ErrorCode.NOT_CONNECTED);
    return new LostConnectionException(codeOf(said), goodbye.text(), true);
  }

  /** A server that closes is no reason not to ask another one. */
  static ErrorCode codeOf(ErrorCode said) {
    return switch (said) {
      case UNAUTHENTICATED, FORBIDDEN, PROTOCOL_ERROR, GRID_CHANGED -> said;
      default -> ErrorCode.NOT_CONNECTED;
    };
  }
}
