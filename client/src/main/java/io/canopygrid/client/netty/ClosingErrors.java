package io.canopygrid.client.netty;

import io.canopygrid.ErrorCode;
import io.canopygrid.wire.MalformedBytesException;
import io.canopygrid.wire.client.ClientMessage;
import io.netty.handler.ssl.NotSslRecordException;
import java.io.EOFException;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateExpiredException;

/** Makes errors of the last messages of servers. */
final class ClosingErrors {
  /** The words for a connection that its server has closed without any. */
  static final String CLOSED = "the server closed the connection";

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

  /** The connection broke, for a reason that is none of the server's messages. */
  static LostConnectionException of(Throwable root) {
    if (root instanceof MalformedBytesException) {
      return new LostConnectionException(
          ErrorCode.PROTOCOL_ERROR, "it does not speak the protocol: " + root.getMessage(), true);
    }
    if (root instanceof NotSslRecordException) {
      return new LostConnectionException(
          ErrorCode.PROTOCOL_ERROR,
          "the port does not speak TLS: say canopy:// instead of canopys://",
          false);
    }
    String why = root instanceof EOFException ? CLOSED : words(root);
    return new LostConnectionException(ErrorCode.NOT_CONNECTED, why, true);
  }

  /** The reason why a connection cannot be had, in words. */
  static String words(Throwable e) {
    boolean certificate = false;
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateExpiredException) {
        return "the server's certificate has expired: " + cause.getMessage();
      }
      certificate |= cause instanceof GeneralSecurityException;
    }
    if (certificate) {
      return "the server's certificate is not trusted: " + e.getMessage();
    }
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }
}
